// Transcripts of real sessions equal the page's, in three formats, also for long logs and readers that disconnect.
import {
  foldEvents,
  inReadingOrder,
  type SessionEvent,
  transcriptEntry,
  type TranscriptEntry,
} from '@quayside/protocol'
import { transcriptEntrySchema } from '@quayside/protocol/schemas'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectInert, expectInertMarkdown } from '../../protocol/test/inert.js'
import { EXTENSIONS, startTestHub, type TestHub, type TestSession } from './test-hub.js'

const HOSTILE =
  'echo <script>alert(1)</script> </style><img src=x onerror=alert(2)> ![x](https://evil.example/?q) [y](javascript:alert(3)) \u202Etxt'

let hub: TestHub
beforeAll(async () => {
  const env = { AGENT_MAX_SESSIONS: '20', QUAYSIDE_EXTENSIONS: EXTENSIONS }
  hub = await startTestHub({ sharesAgent: true, env })
})
afterAll(() => hub[Symbol.asyncDispose]())

async function transcript(session: TestSession, format = 'jsonl'): Promise<string> {
  const response = await hub.fetch(`${session.path}/transcript?format=${format}`)
  expect(response.status).toBe(200)
  return response.text()
}

function entriesIn(text: string): TranscriptEntry[] {
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => transcriptEntrySchema.parse(JSON.parse(line)) as TranscriptEntry)
}

async function storedEvents(session: TestSession): Promise<SessionEvent[]> {
  const text = await (await hub.fetch(`${session.path}/export`)).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionEvent)
}

/** Terminal output is in the log, but not in the items. */
function foldedEntries(events: readonly SessionEvent[]): TranscriptEntry[] {
  const terminals = new Map(
    events.flatMap(({ type, data }) =>
      type === 'terminal.exited' ? [[data.terminalId, data.output ?? ''] as const] : [],
    ),
  )
  const items = inReadingOrder(foldEvents(events).items)
  return items.map((item) => transcriptEntry(item, terminals))
}

test('a transcript is what was followed live, and what is stored', async () => {
  const session = await hub.createSession()
  await session.prompt('Show me around')
  const { permissionId, options } = (await session.feed.until('permission.requested')).data
  await session.answer(permissionId, options[0]!.optionId)
  await session.feed.until('turn.ended')
  for (const text of ['tools', 'plan', 'think about it', 'snapshot Hello', HOSTILE])
    await session.run(text)
  await hub.post(`${session.path}/complete`, {})
  await session.feed.until('session.ended')
  const stored = await storedEvents(session)
  expect(session.feed.events).toEqual(stored)
  const entries = entriesIn(await transcript(session))
  expect(entries).toEqual(foldedEntries(stored))
  expect(entries).toEqual(foldedEntries(session.feed.events))
  expect(new Set(entries.map(({ role }) => role))).toEqual(
    new Set([
      'user',
      'reasoning',
      'assistant',
      'plan',
      'command',
      'permission',
      'status',
      'notice',
    ]),
  )
  expectInert(await transcript(session, 'html'))
  expectInertMarkdown(await transcript(session, 'md'))
})

test('the terminal output of a command is its output', async () => {
  const session = await hub.createSession('services')
  await session.prompt('run git --version')
  const { permissionId } = (await session.feed.until('permission.requested')).data
  await session.answer(permissionId, 'allow_once')
  await session.feed.until('turn.ended')
  const command = entriesIn(await transcript(session)).find(({ role }) => role === 'command')
  expect(command).toMatchObject({ output: expect.stringMatching(/^git version/) as string })
})

test('an open permission and a queued prompt are in it as such', async () => {
  const session = await hub.createSession()
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  await session.prompt('echo later')
  const entries = entriesIn(await transcript(session))
  expect(entries).toEqual(foldedEntries(await storedEvents(session)))
  expect(entries.find(({ role }) => role === 'permission')).toMatchObject({ outcome: 'pending' })
  expect(entries.at(-1)).toMatchObject({ role: 'user', text: 'echo later', queued: true })
})

test('a picture is in the page itself', async () => {
  const session = await hub.createSession()
  await session.run('image')
  const html = await transcript(session, 'html')
  expect(html).toMatch(/<img alt="image\/png" src="data:image\/png;base64,iVBOR/)
  expectInert(html)
})

test('the file is a download with a safe name and its own policy', async () => {
  const session = await hub.createSession()
  const title = '../../Größe "x"\r\nSet-Cookie: a=b \u202E<b> 漢字'
  const headers = { 'content-type': 'application/json' }
  const patch = { method: 'PATCH', headers, body: JSON.stringify({ title }) }
  expect((await hub.fetch(session.path, patch)).status).toBe(200)
  const response = await hub.fetch(`${session.path}/transcript?format=html`)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  const disposition = decodeURIComponent(response.headers.get('content-disposition')!)
  expect(disposition).toContain(
    `filename*=UTF-8''Größe-x-Set-Cookie-a-b-b-漢字-${session.id.slice(-8)}.html`,
  )
  expectInert(await response.text())
  expect((await hub.fetch(`${session.path}/transcript?format=pdf`)).status).toBe(400)
  expect((await hub.fetch('/api/sessions/none/transcript')).status).toBe(404)
})

test('every line of the export is one line to any reader', async () => {
  const session = await hub.createSession()
  await session.run('echo a\u2028b\u0085c')
  const text = await transcript(session)
  expect(text).not.toMatch(/[\u2028\u0085]/)
  expect(entriesIn(text)).toContainEqual(
    expect.objectContaining({ role: 'assistant', text: 'a\u2028b\u0085c' }),
  )
})
