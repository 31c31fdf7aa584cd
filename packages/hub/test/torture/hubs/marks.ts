// The marks that agents leave in the repository, a line each: the process and the time of the machine's steady clock.
import { existsSync, readFileSync } from 'node:fs'

type Span = { readonly pid: string; first: bigint; last: bigint }

/** Two processes of one session that were at work at the same time, as sentences. */
export function overlaps(file: string): string[] {
  if (!existsSync(file)) return []
  const spans = new Map<string, Span>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [pid = '', text = '0'] = line.split(' ')
    const at = BigInt(text)
    const span = spans.get(pid)
    if (span === undefined) spans.set(pid, { pid, first: at, last: at })
    else span.last = at
  }
  const inOrder = [...spans.values()].toSorted((a, b) => (a.first < b.first ? -1 : 1))
  return inOrder.flatMap((span, index) => {
    const next = inOrder[index + 1]
    if (next === undefined || next.first > span.last) return []
    const ms = Number(span.last - next.first) / 1e6
    return [`agents ${span.pid} and ${next.pid} worked at the same time, for ${ms} ms`]
  })
}
