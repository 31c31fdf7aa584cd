// The result of one check of `quayside doctor`: a line for people, and details for --json.
export type Check = {
  readonly id: string
  readonly level: 'ok' | 'warning' | 'problem'
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

type MakeCheck = (message: string, details?: Check['details']) => Check

/** Makes the results of the check `id`. */
export function resultsOf(id: string): Readonly<Record<Check['level'], MakeCheck>> {
  const make =
    (level: Check['level']): MakeCheck =>
    (message, details) => ({ id, level, message, ...(details && { details }) })
  return { ok: make('ok'), warning: make('warning'), problem: make('problem') }
}
