// Turns: iterated, awaited, listened to and cancelled.
import { expect, test } from 'vitest'
import type { AgentChatClient } from '../client.js'
import type { ChatEvent } from './chat-events.js'
import { ScriptedHub } from '../testing/scripted-hub.js'
import type { Turn } from './turn.js'

const TURN = '0198c0de-0000-7000-8000-000000000001'

test('a turn can be iterated: its own events and nothing else', async () => {
  const { client } = hubWithTool()
  const turn = (await client.newSession({ repo: 'shop-api' })).prompt('hello', { id: TURN })
  const seen = await all(turn)

  expect(seen.map(({ type }) => type)).toEqual([
    'user_message',
    'turn_start',
    'text_delta',
    'tool_update',
    'tool_update',
    'text_delta',
    'turn_end',
  ])
  expect(new Set(seen.map(({ turnId }) => turnId))).toEqual(new Set([TURN]))
})

test('a turn can be awaited: its text is what came after the last tool call', async () => {
  const { client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })

  expect(await session.prompt('hello', { id: TURN })).toMatchObject({
    turnId: TURN,
    stopReason: 'end_turn',
    text: 'All done.',
    toolCalls: [{ toolCallId: 'c1', title: 'ls', status: 'completed' }],
  })
})

test('the same turn can be iterated, awaited, streamed and listened to, also after it has ended', async () => {
  const { client } = hubWithTool()
  const turn = (await client.newSession({ repo: 'shop-api' })).prompt('hello')
  const deltas: string[] = []
  turn.on('text_delta', ({ delta }) => deltas.push(delta))
  const first = await all(turn)

  const { text } = await turn
  const streamed: string[] = []
  for await (const piece of turn.textStream()) streamed.push(piece)

  expect(await all(turn)).toEqual(first)
  expect(streamed).toEqual(['I look first.', 'All done.'])
  expect(deltas).toEqual(streamed)
  expect(text).toBe('All done.')
})

test('a refused prompt rejects the turn and ends its iteration', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  const error = { code: 'queue_full', message: 'Too many prompts.' }
  const path = `POST /api/sessions/${session.id}/prompt`
  hub.routes.set(path, () => ({ status: 429, body: { error } }))
  const turn = session.prompt('hello')

  await expect(turn).rejects.toMatchObject({ code: 'queue_full' })
  await expect(all(turn)).rejects.toMatchObject({ code: 'queue_full' })
})

test('a failed turn rejects with what failed, after all its events', async () => {
  const { hub, client } = hubWithTool()
  hub.agent = () => {
    throw new Error('Gone.')
  }
  const turn = (await client.newSession({ repo: 'shop-api' })).prompt('hello')
  const seen: string[] = []
  const reading = (async () => {
    for await (const { type } of turn) seen.push(type)
  })()

  await expect(reading).rejects.toMatchObject({ code: 'agent_failed', message: 'Gone.' })
  expect(seen).toEqual(['user_message', 'turn_start', 'turn_end'])
  await expect(turn).rejects.toMatchObject({ code: 'agent_failed' })
})

test('a cancelled turn is a normal end, and its open tool call is told to be cancelled', async () => {
  const { hub, client } = hubWithTool()
  hub.agent = async (turn) => {
    turn.tool({ toolCallId: 'c1', title: 'sleep', status: 'in_progress' })
    await new Promise(() => {})
  }
  const turn = (await client.newSession({ repo: 'shop-api' })).prompt('hello')
  const statuses: string[] = []
  for await (const event of turn) {
    if (event.type !== 'tool_update') continue
    statuses.push(event.toolCall.status)
    if (statuses.length === 1) await turn.cancel()
  }

  expect(statuses).toEqual(['in_progress', 'cancelled'])
  expect(await turn).toMatchObject({ stopReason: 'cancelled' })
  await turn.cancel()
  expect(hub.requests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1)
})

test('an aborted turn is cancelled at the hub, and whoever reads it gets aborted', async () => {
  const { hub, client } = hubWithTool()
  hub.agent = () => new Promise(() => {})
  const session = await client.newSession({ repo: 'shop-api' })
  const abort = new AbortController()
  const turn = session.prompt('hello', { signal: abort.signal })
  const ended = new Promise<ChatEvent>((resolve) => session.on('turn_end', resolve))
  const reading = (async () => {
    for await (const { type } of turn) if (type === 'turn_start') abort.abort('enough')
  })()

  await expect(reading).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
  await expect(turn).rejects.toMatchObject({ code: 'aborted' })
  expect(await ended).toMatchObject({ stopReason: 'cancelled' })
})

test('a signal that fires after the turn cancels nothing', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  const abort = new AbortController()
  await session.prompt('hello', { signal: abort.signal })

  abort.abort()
  await session.prompt('another')

  expect(hub.requests.filter(({ path }) => path.endsWith('/cancel'))).toEqual([])
})

test('a prompt whose answer was lost is sent again and is one turn', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  const route = `POST /api/sessions/${session.id}/prompt`
  hub.routes.set(route, ({ body }) => {
    hub.routes.delete(route)
    const { prompt, id } = body as { prompt: []; id: string }
    hub.requireSession(session.id).prompt(prompt, id)
    throw new TypeError('the connection was lost')
  })

  const { text } = await session.prompt('hello')

  expect(text).toBe('All done.')
  const { log } = hub.requireSession(session.id)
  expect(log.filter(({ type }) => type === 'turn.queued')).toHaveLength(1)
  expect(hub.requests.filter(({ path }) => path.endsWith('/prompt'))).toHaveLength(2)
})

test('a prompt that never gets through says so', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  hub.isUp = false

  await expect(session.prompt('hello')).rejects.toMatchObject({ code: 'unreachable' })
})

test('writing to an ended session resumes it', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  await session.complete()

  expect(await session.prompt('hello')).toMatchObject({ stopReason: 'end_turn' })
  const types = hub.requireSession(session.id).log.map(({ type }) => type)
  expect(types.slice(1, 4)).toEqual(['session.ended', 'session.resumed', 'turn.queued'])
})

test('a turn that nobody looks at ends no program', async () => {
  const { hub, client } = hubWithTool()
  const session = await client.newSession({ repo: 'shop-api' })
  const error = { code: 'queue_full', message: 'Too many prompts.' }
  hub.routes.set(`POST /api/sessions/${session.id}/prompt`, () => ({
    status: 429,
    body: { error },
  }))

  session.prompt('hello')

  // An unhandled rejection would fail the run.
  await new Promise((resolve) => setImmediate(resolve))
  expect(hub.requests.at(-1)?.path).toMatch(/prompt$/)
})

test('a prompt may be made of text and content blocks', async () => {
  const { hub, client } = hubWithTool()
  const image = { type: 'image', mimeType: 'image/png', uri: '/media/m1' } as const
  const session = await client.newSession({ repo: 'shop-api' })

  await session.prompt(['Look:', image])

  const body = hub.requests.find(({ path }) => path.endsWith('/prompt'))?.body
  expect(body).toMatchObject({ prompt: [{ type: 'text', text: 'Look:' }, image] })
})

function hubWithTool(): { hub: ScriptedHub; client: AgentChatClient } {
  const hub = new ScriptedHub()
  hub.agent = (turn) => {
    turn.say('I look first.')
    turn.tool({ toolCallId: 'c1', title: 'ls', kind: 'execute' })
    turn.tool({ toolCallId: 'c1', status: 'completed' })
    turn.say('All done.')
  }
  return { hub, client: hub.client() }
}

async function all(turn: Turn): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of turn) events.push(event)
  return events
}
