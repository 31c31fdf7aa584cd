/** `{ a: 1, b: undefined }` becomes `{ a: 1 }`. */
export function withoutUndefined<Fields extends object>(fields: Fields) {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known) as {
    readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined>
  }
}
