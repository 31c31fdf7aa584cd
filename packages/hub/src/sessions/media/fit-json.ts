// Measures JSON, and keeps the fields of a value that fit into a number of bytes.

export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null')
}

/** As many fields as fit, the smallest first; of a list that does not fit, its leading items. */
export function fitFields(fields: object, bytes: number): { readonly [field: string]: unknown } {
  const entries = Object.entries(fields).map(([name, value]) => ({
    name,
    value,
    size: jsonBytes(value),
  }))
  const kept = new Map<string, unknown>()
  let left = bytes
  for (const { name, value, size } of entries.toSorted((a, b) => a.size - b.size)) {
    const room = left - jsonBytes(name) - 2
    if (size <= room) {
      kept.set(name, value)
      left = room - size
    } else if (Array.isArray(value) && room > 2) {
      const items = fitItems(value, room - 2)
      kept.set(name, items)
      left = room - jsonBytes(items)
    }
  }
  // Not by assignment: a field may be called `__proto__`.
  return Object.fromEntries(
    entries.filter(({ name }) => kept.has(name)).map(({ name }) => [name, kept.get(name)]),
  )
}

function fitItems(items: readonly unknown[], bytes: number): readonly unknown[] {
  let left = bytes
  const end = items.findIndex((item) => (left -= jsonBytes(item) + 1) < 0)
  return end < 0 ? items : items.slice(0, end)
}
