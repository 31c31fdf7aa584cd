import type { SessionSummary } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { sessionLine } from './session-state.js'

const SESSION = { status: 'active', metadata: {} } as unknown as SessionSummary

test.each([
  [{ status: 'completed', metadata: { reason: 'made_room' } }, 'idle', 'Asleep'],
  [{ status: 'cancelled', metadata: { reason: 'server_shutdown' } }, 'idle', 'Asleep'],
  [
    { status: 'cancelled', metadata: { reason: 'server_shutdown', interrupted: true } },
    'danger',
    'Interrupted',
  ],
  [{ status: 'error', metadata: { reason: 'hub_crash', wasIdle: true } }, 'idle', 'Asleep'],
  [{ status: 'error', metadata: { reason: 'hub_crash' } }, 'danger', 'Interrupted'],
  [{ status: 'completed', metadata: { reason: 'user_request' } }, 'idle', 'Ended'],
  [{ status: 'active', activity: 'idle', step: { type: 'timeout' } }, 'danger', 'Timed out'],
  [
    { status: 'active', hub: { name: 'studio', state: 'away' } },
    'danger',
    'studio cannot be reached',
  ],
  [
    { status: 'active', hub: { name: 'studio', state: 'away', since: '2026-01-31T15:04:05.000Z' } },
    'danger',
    'studio unreachable since Jan 31',
  ],
  [{ status: 'active', hub: { name: 'studio', state: 'elsewhere' } }, 'idle', 'Idle'],
])('a session %j is %s: %s', (fields, look, words) => {
  const line = sessionLine({ ...SESSION, ...fields } as SessionSummary)
  expect(line).toEqual({ look, words: expect.stringContaining(words) as string })
})
