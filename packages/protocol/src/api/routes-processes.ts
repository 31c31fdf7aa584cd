// The table's part for the processes that the hub keeps.
import { processListSchema } from './process-schemas.js'
import { answer, type Route } from './route.js'

export const processRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/processes',
    operationId: 'listProcesses',
    tag: 'Processes',
    summary: 'What runs, for which session, and what it takes',
    answers: answer(200, 'Oldest first.', processListSchema),
    errors: [],
  },
  {
    method: 'post',
    path: '/api/processes/{pid}/stop',
    operationId: 'stopProcess',
    tag: 'Processes',
    summary: 'End a process with all it started',
    description:
      'The sessions that it works for are cancelled. One that was kept warm is replaced after a moment.',
    params: { pid: 'Its number in the list.' },
    answers: answer(200, 'What still runs.', processListSchema),
    errors: ['process_not_found'],
  },
]
