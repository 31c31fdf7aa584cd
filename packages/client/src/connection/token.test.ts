import { expect, test } from 'vitest'
import type { AgentChatClient, AgentChatClientOptions } from '../client.js'
import type { WebSocketConstructor } from './rpc-socket.js'
import { ScriptedHub } from '../testing/scripted-hub.js'

test('a token is asked for at each request and connection, so that it may change', async () => {
  let count = 0
  const { hub, client, sent } = listen({ token: async () => `t${++count}` })
  await using _ = client

  await client.me()
  await client.connect()
  const again = opened(client)
  hub.drop()
  await again
  await client.me()

  expect(sent).toEqual(['HTTP t1', 'WebSocket t2', 'WebSocket t3', 'HTTP t4'])
})

test('a token that cannot be had is the error of a request, and the connection tries again', async () => {
  let isLocked = true
  const token = () => {
    if (isLocked) throw new Error('The keyring is locked.')
    return 't1'
  }
  const { client, sent } = listen({ token })
  await using _ = client

  await expect(client.me()).rejects.toThrow('The keyring is locked.')
  await expect(client.connect()).rejects.toMatchObject({ code: 'unreachable' })
  expect(sent).toEqual([])
  const open = opened(client)
  isLocked = false
  await open

  expect(sent.at(-1)).toBe('WebSocket t1')
})

test('a request that is aborted does not wait for its token, and a client that is closed does not use it', async () => {
  let give = (_token: string) => {}
  const asked = new Promise<string>((resolve) => (give = resolve))
  const { client, sent } = listen({ token: () => asked })
  const abort = new AbortController()

  const list = client.repos.list({ signal: abort.signal })
  const connecting = client.connect()
  abort.abort()
  client.close()
  await expect(list).rejects.toMatchObject({ code: 'aborted' })
  await expect(connecting).rejects.toMatchObject({ code: 'closed' })
  give('t1')
  await asked
  await new Promise(setImmediate)

  expect(sent).toEqual([])
})

/** A client whose tokens are written down as they are sent. */
function listen(options: Pick<AgentChatClientOptions, 'token'>) {
  const hub = new ScriptedHub()
  const sent: string[] = []
  const note = (way: string, headers?: HeadersInit) =>
    sent.push(`${way} ${new Headers(headers).get('authorization')?.replace('Bearer ', '')}`)
  const client = hub.client({
    ...options,
    fetch: (input, init) => {
      note('HTTP', init?.headers)
      return hub.fetch(input, init)
    },
    WebSocket: function WebSocket(url: string, how: { headers: Record<string, string> }) {
      note('WebSocket', how.headers)
      return new hub.WebSocket(url, how)
    } as unknown as WebSocketConstructor,
  })
  return { hub, client, sent }
}

function opened(client: AgentChatClient): Promise<void> {
  return new Promise((resolve) => {
    client.on('connection', ({ state }) => state === 'open' && resolve())
  })
}
