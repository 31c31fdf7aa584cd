// Valid frames of an agent, of every kind that the hub reads, as input of the fuzz.

type Frame = Readonly<Record<string, unknown>>

const SESSION = 'fuzz-1'

function update(sessionUpdate: string, fields: Frame): Frame {
  const params = { sessionId: SESSION, update: { sessionUpdate, ...fields } }
  return { jsonrpc: '2.0', method: 'session/update', params }
}

function request(method: string, fields: Frame): Frame {
  const params = { sessionId: SESSION, ...fields }
  return { jsonrpc: '2.0', id: 'asked-1', method, params }
}

const text = { type: 'text', text: 'Hello ~ größer als 😀' }
const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
const toolCall = {
  toolCallId: 'call-1',
  title: 'Edit app.ts',
  kind: 'edit',
  status: 'pending',
  content: [
    { type: 'diff', path: '/app.ts', oldText: 'a', newText: 'b' },
    { type: 'content', content: image },
    { type: 'terminal', terminalId: 'terminal-1' },
  ],
  locations: [{ path: '/app.ts', line: 3 }],
  rawInput: { command: ['true'] },
}
const option = { id: 'model', name: 'Model', type: 'select', currentValue: 'a', options: [] }

export const updates: readonly Frame[] = [
  update('agent_message_chunk', { content: text, messageId: 'm-1' }),
  update('agent_message_chunk', { content: text, _meta: { quayside: { replaces: true } } }),
  update('agent_message_chunk', { content: { type: 'text', text: 'data:image/png;base64,iVBOR' } }),
  update('agent_message_chunk', { content: image }),
  update('agent_message_chunk', {
    content: { type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA', mimeType: 'a/b' } },
  }),
  update('agent_thought_chunk', { content: text }),
  update('user_message_chunk', { content: text }),
  update('tool_call', toolCall),
  update('tool_call_update', { ...toolCall, status: 'completed' }),
  update('plan', { entries: [{ content: 'one', priority: 'high', status: 'pending' }] }),
  update('available_commands_update', {
    availableCommands: [{ name: 'plan', description: 'd', input: { hint: 'h' } }],
  }),
  update('current_mode_update', { currentModeId: 'ask' }),
  update('config_option_update', { configOptions: [option] }),
  update('session_info_update', { title: 'A title', updatedAt: '2026-01-01T00:00:00Z' }),
  update('usage_update', { used: 10, size: 100, cost: { amount: 1, currency: 'EUR' } }),
  update('_vendor/odd', { anything: { goes: [1, 2, 3] } }),
]

export const requests: readonly Frame[] = [
  request('session/request_permission', {
    toolCall,
    options: [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ],
  }),
  request('elicitation/create', {
    message: 'Which one?',
    mode: 'form',
    requestedSchema: { type: 'object', properties: { a: { type: 'string' } } },
    elicitationId: 'e-1',
  }),
  request('fs/read_text_file', { path: '/app.ts', line: 1, limit: 10 }),
  request('fs/write_text_file', { path: 'fuzzed.txt', content: 'text' }),
  request('terminal/output', { terminalId: 'terminal-1' }),
  request('_vendor/ask', { a: 1 }),
  { jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'asked-1' } },
  { jsonrpc: '2.0', method: 'elicitation/complete', params: { elicitationId: 'e-1' } },
]

export const responses: readonly Frame[] = [
  { jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn', usage: { totalTokens: 5 } } },
  { jsonrpc: '2.0', id: 3, error: { code: -32_000, message: 'Sign in first', data: { a: 1 } } },
  { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } },
]
