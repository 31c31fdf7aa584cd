// Implements the commands for previews of local ports.
import type { Handlers, previewCommands } from '@quayside/protocol/schemas'
import type { Caller } from '../../http/access/principal.js'
import type { Previews } from '../../preview/previews.js'

export type PreviewDeps = { readonly previews: Previews }

export function previews({ previews }: PreviewDeps): Handlers<typeof previewCommands, Caller> {
  return {
    'preview/list': ({ sessionId }) => ({
      ports: previews.list(sessionId).map(({ port, program }) => ({ port, program })),
    }),
    'preview/open': ({ sessionId, port }) => previews.open(sessionId, port),
  }
}
