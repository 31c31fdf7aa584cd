// The table's part for people's terminals.
import { answer, json, type Route } from './route.js'
import { createTerminalSchema, terminalListSchema, terminalSchema } from './terminal-schemas.js'

const terminal = { id: 'Id of the terminal.' }

export const terminalRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/terminals',
    operationId: 'listTerminals',
    tag: 'Terminals',
    scope: 'admin',
    summary: 'Your terminals',
    answers: answer(200, 'Oldest first.', terminalListSchema),
    errors: [],
  },
  {
    method: 'post',
    path: '/api/terminals',
    operationId: 'createTerminal',
    tag: 'Terminals',
    scope: 'admin',
    summary: 'Open a terminal in a repository',
    description:
      'Your login shell, or a command. It goes on when the hub stops. Read and written over the WebSocket: `terminal/follow`, `terminal/input`.',
    body: json(createTerminalSchema),
    answers: answer(201, 'The terminal.', terminalSchema),
    errors: [
      'repo_not_found',
      'session_not_found',
      'path_outside_root',
      'command_not_found',
      'terminal_limit',
      'terminal_failed',
      'terminals_unavailable',
    ],
  },
  {
    method: 'get',
    path: '/api/terminals/{id}',
    operationId: 'getTerminal',
    tag: 'Terminals',
    scope: 'admin',
    summary: 'One terminal',
    params: terminal,
    answers: answer(200, 'The terminal.', terminalSchema),
    errors: ['terminal_not_found'],
  },
  {
    method: 'delete',
    path: '/api/terminals/{id}',
    operationId: 'closeTerminal',
    tag: 'Terminals',
    scope: 'admin',
    summary: 'Close a terminal and end everything that was started in it',
    params: terminal,
    answers: answer(204, 'Nothing of it runs any more.'),
    errors: ['terminal_not_found'],
  },
]
