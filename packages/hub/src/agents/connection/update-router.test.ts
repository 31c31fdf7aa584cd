import { expect, test } from 'vitest'
import { UpdateRouter } from './update-router.js'

const COMMANDS = { sessionUpdate: 'available_commands_update' }

/** The kinds of updates that the session receives, early ones first. */
function open(router: UpdateRouter, sessionId: string): string[] {
  const received: string[] = []
  router.attach(sessionId, ({ sessionUpdate }) => received.push(sessionUpdate))
  return received
}

function send(router: UpdateRouter, sessionId: string, update: object = COMMANDS): void {
  router.receive({ sessionId, update }, 1)
}

test('what comes before a session is claimed is handed over, what comes after it was closed is nobody’s', () => {
  const router = new UpdateRouter()
  send(router, 'one')
  const received = open(router, 'one')
  expect(received).toHaveLength(1)
  router.detach('one')
  send(router, 'one')
  expect(received).toHaveLength(1)
  expect(open(router, 'one')).toEqual([])
})

test('a closed session that is opened again gets what comes before its answer', () => {
  const router = new UpdateRouter()
  open(router, 'one')
  router.detach('one')
  router.startReplay('one')
  send(router, 'one', { sessionUpdate: 'agent_message_chunk' })
  send(router, 'one')
  expect(open(router, 'one')).toEqual([COMMANDS.sessionUpdate])
})

test('of sessions that were closed long ago nothing is remembered', () => {
  const router = new UpdateRouter()
  for (let n = 0; n <= 1_000; n += 1) router.detach(`session ${n}`)
  for (const n of [0, 1]) send(router, `session ${n}`)
  expect(open(router, 'session 0')).toHaveLength(1)
  expect(open(router, 'session 1')).toHaveLength(0)
})

test('what nobody ever claims does not cost a new session its first updates', () => {
  const router = new UpdateRouter()
  for (let n = 0; n < 3_000; n += 1) send(router, `stray ${n % 50}`)
  send(router, 'new')
  expect(open(router, 'new')).toHaveLength(1)
})

test('what nobody claims is kept up to a limit, however few and long the updates are', () => {
  const router = new UpdateRouter()
  const long = { sessionUpdate: 'agent_message_chunk', text: 'x'.repeat(6 * 1024 * 1024) }
  for (const stray of ['first', 'second', 'third']) send(router, stray, long)
  expect(open(router, 'first')).toHaveLength(0)
  expect(open(router, 'second')).toHaveLength(1)
  expect(open(router, 'third')).toHaveLength(1)
})

test('what nobody claims may be nested as deep as it likes', () => {
  const router = new UpdateRouter()
  let deep: unknown[] = []
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  send(router, 'one', { sessionUpdate: 'plan', deep })
  send(router, 'one')
  expect(open(router, 'one')).toEqual([COMMANDS.sessionUpdate])
})
