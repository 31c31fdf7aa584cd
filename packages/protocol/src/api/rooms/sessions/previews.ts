// Declares the commands for previews: local ports that a session's agent or terminals have opened.
import { z } from 'zod'
import type { Shape } from '../../../shape.js'
import type { Commands } from '../../command.js'

const PORT = 'port is from 1 to 65535.'
export const previewPortSchema = z.object({
  port: z.int(),
  program: z.string().describe('The name of the program that listens.'),
})
/** A port that a process of the session listens on. */
export type PreviewPort = Shape<typeof previewPortSchema>

export const previewCommands = {
  'preview/list': {
    rest: 'GET /api/sessions/{sessionId}/previews',
    operationId: 'listPreviews',
    scope: 'write',
    summary: 'Local ports that the session’s agent and terminals listen on',
    description: 'On Linux only; elsewhere the list is empty.',
    response: 'The ports, lowest first.',
    output: z.object({ ports: z.array(previewPortSchema) }),
  },
  'preview/open': {
    rest: 'POST /api/sessions/{sessionId}/previews',
    operationId: 'openPreview',
    scope: 'write',
    summary: 'Show a local port of the session on an origin of its own',
    description:
      'The hub listens on a further port and passes requests on to the program, without the hub’s cookies and tokens. `path` lets one browser in, once, within a minute.',
    body: z.strictObject({ port: z.int(PORT).min(1, PORT).max(65_535, PORT) }),
    status: 201,
    response: 'The port of the preview on the hub’s host, and the path to open there.',
    output: z.object({ port: z.int(), path: z.string() }),
    errors: ['not_found'],
  },
} satisfies Commands
