// An event has the same bytes when it is encoded and when a store reads it again.
import type { EventOf } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { encodeEvent } from '../src/sessions/log/encoded-events.js'
import { addRepo, addSession, batchOf, ENGINES } from './store-engines.js'
import { NOON } from './store-fixture.js'

const TEXTS = ['plain', 'ä€😀', '"quoted" \\ \n\t\u0000', '\u2028', '\uD800', '{"data":', '']

test.each(ENGINES)('$name returns the bytes that were encoded', async ({ open }) => {
  const opened = await open()
  const { store } = opened
  const sessionId = await addSession(store, { repoId: await addRepo(store) })
  const events = TEXTS.map((message, at) => {
    const details = { at: 1.5 * at, list: [at, null, {}] }
    const data: EventOf<'notice'>['data'] = { severity: 'info', code: 'test', message, details }
    return encodeEvent({ sessionId, seq: at + 2, at: NOON + at, type: 'notice', data })
  })
  await store.events.commit([batchOf(sessionId, { events })])
  const read = [...(await store.events.read(sessionId, 1, 100))]
  expect(read.map(({ bytes }) => Buffer.from(bytes))).toEqual(
    events.map(({ bytes }) => Buffer.from(bytes)),
  )
  await opened.close()
})
