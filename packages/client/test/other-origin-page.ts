// A page for other-origin.test.ts: the client in a browser, at an origin that is not the hub's.
import { AgentChatClient, ClientError } from '../src/index.js'

export type PageCall = { readonly url: string; readonly token?: string }

/** The answer to a prompt, and the first lines of the session's event stream. */
async function run({ url, token = '' }: PageCall): Promise<{ text: string; stream: string }> {
  const client = new AgentChatClient({ url, token })
  const session = await client.newSession({ repo: 'shop-api', agent: 'demo' })
  const { text } = await session.prompt('echo Hello from another origin')
  const response = await fetch(`${url}/api/sessions/${session.id}/events`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
  })
  let stream = ''
  for (const reader = response.body!.getReader(); !stream.includes('id: 1');)
    stream += new TextDecoder().decode((await reader.read()).value)
  client.close()
  return { text, stream }
}

/** The code of the error that the client gets instead of a connection. */
async function connect(options: PageCall): Promise<string> {
  const client = new AgentChatClient({ ...options, reconnect: false })
  try {
    await client.connect()
    return 'open'
  } catch (error) {
    return error instanceof ClientError ? error.code : String(error)
  } finally {
    client.close()
  }
}

Object.assign(globalThis, { run, connect })
