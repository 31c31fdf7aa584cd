// Prompts of one session reach the hub in the order in which they were written, whatever happens on the way.
import { expect, test } from 'vitest'
import type { AgentSession } from './agent-session.js'
import { ClientError } from '../connection/client-error.js'
import { ScriptedHub } from '../testing/scripted-hub.js'

test('a prompt that has to be sent again stays before the next one', async () => {
  let failures = 2
  const { session, arrived } = await sessionOver(() => {
    if (failures-- > 0) throw new TypeError('fetch failed')
  })

  await Promise.all(['one', 'two', 'three'].map((text) => session.prompt(text).accepted))

  expect(arrived).toEqual(['one', 'two', 'three'])
})

test('a prompt whose request takes long stays before the next one, until it is given up', async () => {
  const abort = new AbortController()
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  let isAsked = () => {}
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const { session, arrived } = await sessionOver(async (text) => {
    isAsked()
    if (text === 'one') await released
  })

  const first = session.prompt('one', { signal: abort.signal })
  const second = session.prompt('two')
  await asked
  // The answer to a later request: a prompt that did not wait would have arrived by now.
  await session.permissions()
  expect(arrived).toEqual([])
  abort.abort()
  await second.accepted
  expect(arrived).toEqual(['two'])
  release()
  await first.accepted
})

test('a prompt that is refused does not hold back the next one', async () => {
  const { session, arrived } = await sessionOver((text) => {
    if (text === 'one') throw new ClientError('queue_full', 'Too many prompts.')
  })

  const first = session.prompt('one').accepted
  const second = session.prompt('two').accepted

  await expect(first).rejects.toMatchObject({ code: 'queue_full' })
  await second
  expect(arrived).toEqual(['two'])
})

/** A session whose prompts pass `onWay` before they arrive at the hub. */
async function sessionOver(
  onWay: (text: string) => void | Promise<void>,
): Promise<{ session: AgentSession; arrived: string[] }> {
  const hub = new ScriptedHub()
  const arrived: string[] = []
  const client = hub.client({
    fetch: async (input, init) => {
      const text = promptIn(init)
      if (text !== undefined) await onWay(text)
      if (text !== undefined) arrived.push(text)
      return hub.fetch(input, init)
    },
  })
  return { session: await client.openSession(hub.addSession().id), arrived }
}

function promptIn(init: RequestInit | undefined): string | undefined {
  if (typeof init?.body !== 'string') return undefined
  const { prompt } = JSON.parse(init.body) as { prompt?: readonly { text?: string }[] }
  return prompt?.[0]?.text
}
