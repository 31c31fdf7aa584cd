// A request to one of several hubs, which may not answer.
import type { ErrorBody } from '@quayside/protocol'
import { TOKEN } from '../../test-hub.js'

export type Asked = { readonly method: string; readonly path: string; readonly body?: object }
export type Answer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly code: string }

const DEADLINE_MS = 3_000

/** `no_answer` also when the answer is lost: the command may have arrived. */
export async function ask(
  address: string | undefined,
  { method, path, body }: Asked,
  deadlineMs = DEADLINE_MS,
): Promise<Answer> {
  if (address === undefined) return { ok: false, code: 'no_answer' }
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(deadlineMs),
      ...(body && { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as unknown
    if (response.ok) return { ok: true, body: json }
    return { ok: false, code: (json as ErrorBody).error.code }
  } catch {
    return { ok: false, code: 'no_answer' }
  }
}
