import { expect, test } from 'vitest'
import { z } from 'zod'
import { EventWriter, tool } from '../../test/event-writer.js'
import { foldEvents, messageOf, type SessionEvent } from '../index.js'
import { readRecording } from '../../test/recording.js'
import * as schemas from '../schemas.js'

const REPO_ID = '01980000-0000-7000-8000-000000000002'

function messagesOf(schema: z.ZodType, value: unknown): readonly string[] {
  const { error } = schema.safeParse(value)
  return error?.issues.map(({ message }) => message) ?? []
}

test('a session needs a repository id and refuses what it does not know', () => {
  const full = {
    repoId: REPO_ID,
    extensionId: 'gemini',
    title: ' Fix it ',
    settings: { model: 'x' },
  }
  expect(schemas.createSessionSchema.parse(full)).toEqual({ ...full, title: 'Fix it' })
  const problems = (value: unknown) => messagesOf(schemas.createSessionSchema, value)
  expect(problems({})).toEqual(['repoId is the id of a repository.'])
  expect(problems({ repoId: '' })).toEqual(['repoId is the id of a repository.'])
  expect(problems({ repoId: REPO_ID, title: ' ' })).toEqual(['A title has 1 to 200 characters.'])
  expect(problems({ repoId: REPO_ID, title: 'x'.repeat(201) })).toHaveLength(1)
  expect(problems({ repoId: REPO_ID, repo: 1, agent: 2 })).toEqual([
    'Unrecognized keys: "repo", "agent"',
  ])
})

test('a prompt is either a text or content blocks', () => {
  const blocks = [{ type: 'text', text: 'Hi', annotations: { priority: 1 }, later: true }]
  expect(schemas.promptSchema.parse({ text: 'Hi', id: 'a.B_1:-' })).toEqual({
    text: 'Hi',
    id: 'a.B_1:-',
  })
  expect(schemas.promptSchema.parse({ prompt: blocks })).toEqual({ prompt: blocks })
  const problems = (value: unknown) => messagesOf(schemas.promptSchema, value)
  const either = ['Send either text or prompt (a list of content blocks).']
  expect(problems({})).toEqual(either)
  expect(problems({ text: 'Hi', prompt: blocks })).toEqual(either)
  expect(problems({ text: ' \n' })).toEqual(['The prompt is empty.'])
  expect(problems({ prompt: [] })).toEqual(['The prompt is empty.'])
  expect(problems({ prompt: [{ type: 'video' }] })).toEqual([
    'A content block is a text, image, audio, resource_link or resource.',
  ])
  expect(problems({ text: 'Hi', mode: 'x' })).toEqual(['Unrecognized key: "mode"'])
  for (const id of ['', 'a b', 'ä', 'x'.repeat(129)])
    expect(problems({ text: 'Hi', id })).toHaveLength(1)
})

test('pictures and sounds have their type, and data that can be read', () => {
  const problems = (block: object) => messagesOf(schemas.promptSchema, { prompt: [block] })
  const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw==' }
  const sound = { type: 'audio', mimeType: 'audio/wav', data: 'bm90ICByZWFsbHk=' }
  for (const block of [picture, sound, { ...picture, mimeType: 'IMAGE/PNG' }])
    expect(problems(block)).toEqual([])
  expect(problems({ type: 'image', mimeType: 'image/png', uri: '/media/1' })).toEqual([])
  for (const block of [
    { ...picture, mimeType: 'text/html' },
    { ...sound, mimeType: 'image/png' },
  ])
    expect(problems(block)).toEqual([expect.stringContaining('begins with image/')])
  for (const data of [
    'iVBORw',
    '<b>hello</b>',
    'iVBO\nRw==',
    'data:image/png;base64,iVBORw==',
    '====',
  ])
    expect(problems({ ...picture, data }), data).toEqual([expect.stringContaining('not base64')])
  const queued = messagesOf(schemas.editQueuedSchema, { prompt: [{ ...picture, data: '?' }] })
  expect(queued).toHaveLength(1)
})

test('a title is one line without control characters', () => {
  const titled = (title: string) =>
    schemas.createSessionSchema.parse({ repoId: REPO_ID, title }).title
  expect(titled(' Fix\u0000 the\u0007\nlogin ')).toBe('Fix the login')
  expect(schemas.patchSessionSchema.parse({ title: 'a\u0000b' })).toEqual({ title: 'ab' })
  expect(messagesOf(schemas.patchSessionSchema, { title: '\u0000' })).toEqual([
    'A title has 1 to 200 characters.',
  ])
})

test('a prompt comes out as blocks, whichever way it was sent', () => {
  expect(schemas.promptBlocks({ text: 'Hi' })).toEqual([{ type: 'text', text: 'Hi' }])
  const prompt = schemas.promptSchema.parse({ prompt: [{ type: 'text', text: 'Ho' }] })
  expect(schemas.promptBlocks(prompt)).toEqual([{ type: 'text', text: 'Ho' }])
})

test('a permission is answered with an option or cancelled', () => {
  const { answerPermissionSchema: schema } = schemas
  expect(schema.parse({ optionId: 'once' })).toEqual({ optionId: 'once' })
  expect(schema.parse({ outcome: 'cancelled' })).toEqual({ outcome: 'cancelled' })
  const either = ['Send either optionId or outcome: "cancelled".']
  expect(messagesOf(schema, {})).toEqual(either)
  expect(messagesOf(schema, { optionId: 'once', outcome: 'cancelled' })).toEqual(either)
  expect(messagesOf(schema, { outcome: 'selected' })).toEqual([
    'The only outcome besides an option is "cancelled".',
  ])
})

test('a page of events has a beginning and a size, both from a query string', () => {
  const { eventsQuerySchema: schema } = schemas
  expect(schema.parse({})).toEqual({ after: 0, limit: 500 })
  expect(schema.parse({ after: '12', limit: '1000' })).toEqual({ after: 12, limit: 1000 })
  expect(messagesOf(schema, { limit: '1001' })).toEqual(['limit is a whole number from 1 to 1000.'])
  for (const after of ['-1', '1.5', '', ' ', '1e3', 'x', ['1', '2']])
    expect(messagesOf(schema, { after })).toHaveLength(1)
  expect(messagesOf(schema, { from: '1' })).toEqual(['Unrecognized key: "from"'])
})

test('messages are asked for since an event or a time', () => {
  const since = (value: string) => schemas.messagesQuerySchema.parse({ since: value }).since
  expect(schemas.messagesQuerySchema.parse({})).toEqual({})
  expect(since('seq:42')).toEqual({ by: 'seq', seq: 42 })
  expect(since('1700000000000')).toEqual({ by: 'time', at: 1_700_000_000_000 })
  expect(since('2026-01-02T03:04:05.678Z')).toEqual({
    by: 'time',
    at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  })
  expect(since('2026-01-02T03:04+02:00')).toEqual({ by: 'time', at: Date.UTC(2026, 0, 2, 1, 4) })
  for (const value of [
    '',
    'seq:',
    'seq:-1',
    'yesterday',
    '2026-01-02T03:04:05',
    '2026-99-99',
    '-5',
  ])
    expect(messagesOf(schemas.messagesQuerySchema, { since: value })).toEqual([
      'since is an ISO 8601 time with its zone, milliseconds since 1970, or seq:N.',
    ])
})

test('a list of sessions can be narrowed and paged', () => {
  const { listSessionsQuerySchema: schema } = schemas
  expect(schema.parse({})).toEqual({ archived: 'false', limit: 20, offset: 0 })
  expect(
    schema.parse({ repoId: REPO_ID, status: 'active,error', limit: '10', offset: '30' }),
  ).toEqual({
    archived: 'false',
    repoId: REPO_ID,
    status: ['active', 'error'],
    limit: 10,
    offset: 30,
  })
  expect(messagesOf(schema, { status: 'active,asleep' })).toEqual([
    'status is a list of active, completed, cancelled, error.',
  ])
  expect(messagesOf(schema, { limit: '0' })).toEqual(['limit is a whole number from 1 to 100.'])
  expect(messagesOf(schema, { archived: 'only' })).toEqual([
    'archived is false (the default), true or any.',
  ])
  expect(messagesOf(schema, { offset: '1', cursor: 'x' })).toEqual([
    'Send either offset or cursor.',
  ])
})

test('each WebSocket request has its params', () => {
  const ours = { sessionId: 's' }
  const terminal = { terminalId: 't' }
  const params = {
    'session/new': { repoId: REPO_ID },
    'session/prompt': { ...ours, text: 'Hi' },
    'session/cancel': ours,
    'session/complete': ours,
    'session/resume': ours,
    'session/fork': { ...ours, turnId: 't', before: true },
    'session/delete': { ...ours, purge: true },
    'session/change': { ...ours, pinned: true },
    'session/queue': ours,
    'session/checkpoints': ours,
    'session/undo': { ...ours, turnId: 't', force: 'others' },
    'session/redo': ours,
    'session/workspace': { ...ours, action: 'commit' },
    'session/check': ours,
    'comparison/create': { repoId: REPO_ID, agents: ['a', 'b'], text: 'Hi' },
    'comparison/get': { comparisonId: 'c' },
    'comparison/take': { comparisonId: 'c', ...ours },
    'session/find': { ...ours, q: 'text', limit: 5 },
    'session/follow': { ...ours, after: 7 },
    'session/unfollow': ours,
    'sessions/watch': {},
    'page/visible': { visible: true },
    'queue/edit': { ...ours, turnId: 't', before: null },
    'queue/remove': { ...ours, turnId: 't' },
    'queue/clear': ours,
    'option/set': { ...ours, optionId: 'mode', value: 'plan' },
    'question/answer': { ...ours, questionId: 'q', action: 'decline' },
    'permission/answer': { ...ours, permissionId: 'p', optionId: 'once' },
    'terminal/follow': { ...terminal, after: 7 },
    'terminal/watch': { sessionId: 's', ...terminal },
    'terminal/unfollow': terminal,
    'terminal/input': { ...terminal, data: 'ls\n' },
    'terminal/resize': { ...terminal, cols: 80, rows: 24 },
    'terminal/close': terminal,
  }
  expect(Object.keys(params).toSorted()).toEqual([...schemas.SOCKET_REQUESTS.keys()].toSorted())
  for (const [method, value] of Object.entries(params)) {
    const schema = schemas.SOCKET_REQUESTS.get(method)!.params
    expect(schema.parse(value)).toEqual(value)
    expect(messagesOf(schema, { ...value, extra: 1 })).toEqual(['Unrecognized key: "extra"'])
    if (Object.keys(value).length > 0) expect(messagesOf(schema, {})).not.toEqual([])
  }
  expect(messagesOf(schemas.followSchema, { ...ours, after: -1 })).toEqual([
    'after is a whole number from 0.',
  ])
  expect(messagesOf(schemas.SOCKET_REQUESTS.get('session/prompt')!.params, ours)).toEqual([
    'Send either text or prompt (a list of content blocks).',
  ])
})

test('recorded events pass their schema unchanged', () => {
  for (const event of readRecording('claude-write-reject'))
    expect(schemas.sessionEventSchema.parse(event)).toEqual(event)
})

test('an event of a newer hub keeps its new fields, an update is any object with a kind', () => {
  const [event] = new EventWriter().update({ sessionUpdate: 'from_the_future', entries: 7 }).events
  const newer = { ...event, data: { ...event!.data, later: true }, later: true }
  expect(schemas.sessionEventSchema.parse(newer)).toEqual(newer)
  const broken = { ...event, data: { update: { kind: 'plan' } } } as unknown as SessionEvent
  expect(schemas.sessionEventSchema.safeParse(broken).success).toBe(false)
  expect(schemas.sessionEventSchema.safeParse({ ...event, seq: 0 }).success).toBe(false)
})

test('the messages of a fold pass the schema of the API', () => {
  const writer = new EventWriter().prompt('t1').think('hm').say('Hi').update(tool('c1'))
  writer.update({ sessionUpdate: 'plan', entries: [{ content: 'Look' }] })
  writer.ask('p1', { toolCallId: 'c1' }).answer('p1', 'yes').end('t1').prompt('t2').end('t2')
  writer.append({ type: 'session.ended', data: { status: 'error', reason: 'agent_exited' } })
  const contents = foldEvents(writer.events).items.flatMap((item) => messageOf(item)?.content ?? [])
  expect(contents.map(({ type }) => type)).toEqual([
    'text',
    'thought',
    'text',
    'tool',
    'plan',
    'permission',
    'text',
    'status',
    'error',
  ])
  for (const content of contents)
    expect(schemas.messageContentSchema.parse(content)).toEqual(content)
})

test('every schema can be written as JSON Schema, for OpenAPI', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    if (!(schema instanceof z.ZodType)) continue
    const io = name.endsWith('QuerySchema') ? 'input' : 'output'
    expect(z.toJSONSchema(schema, { io }), name).toBeTypeOf('object')
  }
})
