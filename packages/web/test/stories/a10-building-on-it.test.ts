// A10. Building on it: the SDK, the wire and the command line.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AgentChatClient, type ChatEvent } from '@quayside/client'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { DESKTOP, LONG, said, status, Story, TOKEN, violationsIn } from './story.js'

const QUAYSIDE = fileURLToPath(new URL('../../../hub/bundle/main.js', import.meta.url))

/** Records its sockets, so that one can be closed. */
class CutSocket extends WebSocket {
  static readonly all: CutSocket[] = []

  constructor(address: string, options: { readonly headers: Record<string, string> }) {
    super(address, options)
    CutSocket.all.push(this)
  }
}

test('a program, a page and the command line share a session, and the wire shows all of it', async () => {
  const story = await Story.begin()
  await using client = new AgentChatClient({
    url: story.hub.origin,
    token: TOKEN,
    WebSocket: CutSocket,
    reconnect: { minDelayMs: 1, maxDelayMs: 20 },
  })
  const session = await client.newSession({ repo: 'shop-api', agent: 'fake' })
  const { page, faults } = await story.open(`/s/${session.id}`, DESKTOP)
  await status(page, 'Idle')

  const events: ChatEvent[] = []
  const turn = session.prompt('work README.md')
  for await (const event of turn) {
    events.push(event)
    if (event.type === 'permission_request') {
      await page.getByTestId('decision-dock').waitFor()
      CutSocket.all.at(-1)?.terminate()
      await session.respond(event.permissionId, { kind: 'allow_once' })
    }
  }
  const types = events.map(({ type }) => type)
  const firsts = ['turn_start', 'thought_delta', 'plan', 'tool_update', 'text_delta', 'turn_end']
  expect([...new Set(types)].filter((type) => firsts.includes(type))).toEqual(firsts)
  expect(CutSocket.all.length).toBeGreaterThan(1)
  const seqs = events.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  const { text, toolCalls, stopReason } = await turn
  expect(stopReason).toBe('end_turn')
  expect(text).toMatch(/^Changed .*README\.md/)
  expect(toolCalls.filter(({ kind }) => kind === 'edit')).toHaveLength(1)
  const log = (await story.events(session.id)).flatMap(({ type, data }) =>
    type === 'acp.update' ? [Object(data.update).content?.text ?? ''] : [],
  )
  const thoughts = events.flatMap((event) => (event.type === 'thought_delta' ? [event.delta] : []))
  expect(log.join('')).toContain(thoughts.join(''))
  const changes = await client.sessions.changes(session.id)
  expect(changes).toMatchObject({ is: 'known', files: [{ path: 'README.md' }] })
  await said(page, text).waitFor()

  await session.prompt('stream 40')
  await page.getByRole('button', { name: 'Open the side panel' }).click()
  await page.getByRole('tab', { name: 'Wire' }).click()
  const wire = page.getByRole('group', { name: 'Messages' })
  await wire.getByText('×40').waitFor(LONG)
  // The last row of all: until the list has reached its end, the last answer is that of the first prompt.
  const answer = wire.getByRole('button', { name: 'result session/prompt' })
  await wire.getByRole('button').last().and(answer).click()
  await page.getByRole('button', { name: 'Go to the request' }).click()
  const message = page.locator('.wire-message').filter({ hasText: '"stream 40"' })
  await message.waitFor()
  await message.getByRole('button', { name: 'Go to the answer' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown).length).toBeGreaterThan(40)
  expect(lines.join('\n')).not.toContain(TOKEN)
  await expect.poll(() => violationsIn(page), LONG).toEqual([])

  const { stdout, code } = await quayside(story, ['run', 'echo hi', '--agent', 'fake', '--json'])
  const printed = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as ChatEvent).type)
  expect(printed).toEqual(['user_message', 'turn_start', 'text_delta', 'turn_end'])
  expect(code).toBe(0)
  expect((await quayside(story, ['run', 'ask', '--agent', 'fake'])).code).toBe(3)
  const waiting = page.getByTestId('session-row').filter({ hasText: 'Needs your permission' })
  await waiting.click()
  const dock = page.getByTestId('decision-dock')
  await dock.waitFor()
  const id = new URL(page.url()).pathname.split('/')[2]!
  await dock.getByRole('button', { name: 'Allow' }).first().click()
  await said(page, 'selected allow_once').waitFor()
  await attachWhile(story, id, async (streamed) => {
    await expect.poll(streamed, LONG).toContain('drop 3')
    await page.getByTestId('stop').click()
  })
  await expect.poll(() => violationsIn(page), LONG).toEqual([])
  expect(faults).toEqual([])
}, 300_000)

/** Attaches to a session whose agent writes until `stop` was called. */
async function attachWhile(
  story: Story,
  id: string,
  stop: (streamed: () => string) => Promise<void>,
): Promise<void> {
  await story.call('POST', `/api/sessions/${id}/prompt`, { text: 'drip 100000 20' })
  const attached = spawn(process.execPath, [QUAYSIDE, 'attach', id], inRepo(story))
  const closed = once(attached, 'close')
  let streamed = ''
  attached.stdout.on('data', (data) => (streamed += String(data)))
  await stop(() => streamed)
  await closed
}

function inRepo({ hub }: Story) {
  const env = { ...process.env, QUAYSIDE_URL: hub.origin, QUAYSIDE_TOKEN: TOKEN }
  return { cwd: join(hub.root, 'shop-api'), env, timeout: 60_000 }
}

async function quayside(story: Story, args: readonly string[]) {
  return new Promise<{ stdout: string; code: unknown }>((resolve) => {
    execFile(process.execPath, [QUAYSIDE, ...args], inRepo(story), (error, stdout) =>
      resolve({ stdout, code: error?.code ?? 0 }),
    )
  })
}
