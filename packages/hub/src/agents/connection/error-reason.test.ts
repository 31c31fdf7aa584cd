import { expect, test } from 'vitest'
import { readReason } from './error-reason.js'

const MISSING = 'Invalid input: expected string, received undefined'

/** Error answers in the shapes that recordings of real agents have, and the sentence that people read. */
const RECORDED = [
  // codex-acp 0.16 and Grok: the model's server refused the request.
  [
    'Internal error',
    { message: 'unexpected status 401 Unauthorized: scripted-failure-401' },
    'Internal error (unexpected status 401 Unauthorized: scripted-failure-401)',
  ],
  [
    'Internal error',
    { message: 'exceeded retry limit, last status: 429 Too Many Requests' },
    'Internal error (exceeded retry limit, last status: 429 Too Many Requests)',
  ],
  [
    'Internal error',
    { message: 'unexpected status 503 Service Unavailable' },
    'Internal error (unexpected status 503 Service Unavailable)',
  ],
  // Goose and codex-acp 0.16.
  ['Invalid params', { error: 'missing field `cwd`' }, 'Invalid params (missing field `cwd`)'],
  // Grok.
  ['Invalid params', { detail: 'unknown session' }, 'Invalid params (unknown session)'],
  // Gemini CLI and Qwen Code: a list of zod issues.
  [
    'Internal error',
    [{ expected: 'string', code: 'invalid_type', path: ['cwd'], message: MISSING }],
    `Internal error (cwd: ${MISSING})`,
  ],
  // Claude, Codex, OpenCode and five others: zod's errors by field.
  [
    'Invalid params',
    { _errors: [], cwd: { _errors: [MISSING] } },
    `Invalid params (cwd: ${MISSING})`,
  ],
  // Gemini CLI and Codex.
  [
    'Internal error',
    { details: 'Directory does not exist: /does/not/exist' },
    'Internal error (Directory does not exist: /does/not/exist)',
  ],
  [
    'Internal error',
    { details: 'no rollout found for thread id 00000000-0000-4000-8000-000000000000' },
    'Internal error (no rollout found for thread id 00000000-0000-4000-8000-000000000000)',
  ],
  [
    '{"error":{"code":400,"message":"scripted bad request","status":"SCRIPTED"}}',
    undefined,
    'scripted bad request',
  ],
  // Claude: the session that was not found is only in the data.
  ['Resource not found', { sessionId: 'nope' }, 'Resource not found ({"sessionId":"nope"})'],
  // Claude and OpenCode: the message has the reason, the data has more.
  [
    'Internal error: API Error: 400 scripted bad request',
    { errorKind: 'unknown' },
    'Internal error: API Error: 400 scripted bad request ({"errorKind":"unknown"})',
  ],
  [
    'Internal error: OpenCode service failure',
    { service: 'session' },
    'Internal error: OpenCode service failure ({"service":"session"})',
  ],
  // The message has all of the data.
  [
    '"Method not found": no/such_method',
    { method: 'no/such_method' },
    '"Method not found": no/such_method',
  ],
  [
    'Invalid params: mode not found: no-such-mode',
    { mode: 'no-such-mode' },
    'Invalid params: mode not found: no-such-mode',
  ],
  ['Parse error', undefined, 'Parse error'],
  ['Invalid params', null, 'Invalid params'],
] as const

test.each(RECORDED)('%s with %j is shown with its reason', (message, data, shown) => {
  expect(readReason(message, data)).toBe(shown)
})

test('a reason in the depth of the data is found, and an endless one is cut', () => {
  const nested = { error: { type: 'api_error', error: { message: 'overloaded' } } }
  expect(readReason('Internal error', nested)).toBe('Internal error (overloaded)')
  const shown = readReason('Internal error', { trace: Array.from({ length: 5_000 }, (_, n) => n) })
  expect(shown.length).toBeLessThan(600)
})
