// The table's part for trying agents out.
import { probeSchema } from './agent-schemas.js'
import { answer, type Route } from './route.js'

export const agentRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/api/extensions/{id}/probe',
    operationId: 'probeExtension',
    tag: 'Agents',
    summary: 'Try an agent out',
    description:
      'Starts it, opens a session in an empty folder and ends it again. An agent that does not work is an answer too: see `state` and `problem`. Whoever asks while a probe runs gets its result.',
    params: { id: 'Id of the extension, such as `demo`.' },
    answers: answer(200, 'What was found.', probeSchema),
    errors: ['extension_not_found', 'extension_unavailable', 'shutting_down'],
  },
]
