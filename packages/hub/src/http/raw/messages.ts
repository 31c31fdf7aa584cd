// GET /api/sessions/:id and its messages: JSON that is sent while it is read, because a long session has hundreds of megabytes.
import type { SessionReader } from '../../sessions/reading/session-reader.js'
import { sendAll } from './download.js'
import type { Raw } from './raw.js'

export type MessageDeps = { readonly reader: SessionReader }

export function messages({ reader }: MessageDeps): Pick<Raw, 'session/get' | 'session/messages'> {
  return {
    'session/get': async ({ sessionId, messages }, { response }) => {
      const detail = await reader.requireDetail(sessionId)
      const texts = messages === '0' ? ['[]'] : reader.messagesJson(detail)
      await sendAll(response.type('json'), detailJson(detail, texts))
    },
    'session/messages': async ({ sessionId, since }, { response }) => {
      const session = await reader.requireSummary(sessionId)
      await sendAll(response.type('json'), reader.messagesJson(session, since))
    },
  }
}

async function* detailJson(
  detail: object,
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(detail).slice(0, -1)},"messages":`
  yield* texts
  yield '}'
}
