import { readUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { jsonBytes } from './fit-json.js'
import { offloadMedia } from './offload-media.js'

const MIB = 1024 * 1024
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const DATA = PNG.toString('base64')

type Stored = { mimeType: string; bytes: Buffer }

function take(update: object): { small: object; stored: Stored[] } {
  const stored: Stored[] = []
  const small = offloadMedia(update, (mimeType, bytes) => {
    stored.push({ mimeType, bytes })
    return `/media/${stored.length}`
  })
  return { small, stored }
}

/** The value at a path. */
function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value)
}

function chunk(content: unknown, extra: object = {}): object {
  return { sessionUpdate: 'agent_message_chunk', content, ...extra }
}

function tool(fields: object): object {
  return { sessionUpdate: 'tool_call_update', toolCallId: 'a', ...fields }
}

test.each([
  chunk({ type: 'text', text: 'hello' }, { messageId: 'm', _meta: { seen: [1, null, true] } }),
  chunk({ type: 'image', mimeType: 'image/png', uri: 'https://example.org/x.png', data: '' }),
  tool({ rawInput: { type: 'image', data: 'a picture of a cat' }, content: [null, 5, 'x'] }),
  { sessionUpdate: 'weather', image: { type: 'image' }, resource: { type: 'resource' } },
])('an update without anything heavy is returned as it is', (update) => {
  const { small, stored } = take(update)
  expect(small).toBe(update)
  expect(stored).toEqual([])
})

test('an image becomes a reference and stays an image that ACP accepts', () => {
  const update = chunk({ type: 'image', mimeType: 'image/png', data: DATA, annotations: { a: 1 } })
  const before = structuredClone(update)
  const { small, stored } = take(update)
  expect(stored).toEqual([{ mimeType: 'image/png', bytes: PNG }])
  expect(at(small, 'content')).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: '',
    uri: '/media/1',
    annotations: { a: 1 },
    _meta: { quayside: { media: '/media/1', bytes: 8, mimeType: 'image/png' } },
  })
  expect(readUpdate(small)).toMatchObject({ content: { type: 'image', uri: '/media/1' } })
  expect(update).toEqual(before)
})

test('an image keeps the address it came with beside the reference', () => {
  const uri = 'file:///plot.png'
  const { small } = take(chunk({ type: 'image', mimeType: 'image/png', data: DATA, uri }))
  expect(at(small, 'content')).toMatchObject({ uri: '/media/1', _meta: { quayside: { uri } } })
})

test.each([
  { data: `data:image/png;base64,${DATA}` },
  { uri: `data:image/png;base64,${DATA}` },
  { data: '', uri: `data:image/png;base64,${DATA}` },
])('a data URI in an image block is an image too', (fields) => {
  const { small, stored } = take(chunk({ type: 'image', mimeType: 'image/png', ...fields }))
  expect(stored).toEqual([{ mimeType: 'image/png', bytes: PNG }])
  expect(at(small, 'content')).toMatchObject({ data: '', uri: '/media/1' })
})

test('audio, files and images of tools become references, wherever they are', () => {
  const audio = { type: 'audio', mimeType: 'audio/wav', data: DATA }
  const resource = { uri: 'file:///a.zip', mimeType: 'application/zip', blob: DATA }
  const image = { type: 'image', mimeType: 'image/png', data: DATA }
  const content = [
    { type: 'content', content: audio },
    { type: 'content', content: { type: 'resource', resource } },
  ]
  const { small, stored } = take(tool({ content, rawOutput: { content: [image] } }))
  expect(stored.map(({ mimeType }) => mimeType)).toEqual([
    'audio/wav',
    'application/zip',
    'image/png',
  ])
  const quayside = { media: '/media/2', bytes: 8, mimeType: 'application/zip' }
  expect(at(small, 'content', 0, 'content')).toMatchObject({ type: 'audio', data: '' })
  expect(at(small, 'content', 1, 'content', 'resource')).toEqual({
    ...resource,
    blob: '',
    _meta: { quayside },
  })
  expect(at(small, 'rawOutput', 'content', 0)).toMatchObject({ data: '', uri: '/media/3' })
  expect(readUpdate(small)).toMatchObject({ content: [{ type: 'content' }, { type: 'content' }] })
})

test('what is not base64 leaves a note and no text', () => {
  const { small, stored } = take(
    chunk({ type: 'image', mimeType: 'image/png', data: 'no base64!' }),
  )
  expect(stored).toEqual([])
  expect(at(small, 'content')).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: '',
    _meta: { quayside: { note: 'not valid base64', chars: 10 } },
  })
})

test('of a huge output of a tool the end is kept, which says so and refers to all of it', () => {
  const text = `${'é'.repeat(300_000)} 3 tests failed`
  const { small, stored } = take(
    tool({ content: [{ type: 'content', content: { type: 'text', text } }] }),
  )
  const block = at(small, 'content', 0, 'content')
  expect(stored[0]?.bytes.toString()).toBe(text)
  expect(at(block, 'text')).toMatch(
    /^\[… cut here; all 600015 bytes: \/media\/1\]\né{65521} 3 tests failed$/,
  )
  expect(at(block, '_meta', 'quayside')).toEqual({
    media: '/media/1',
    bytes: 600_015,
    mimeType: 'text/plain',
  })
})

test('huge strings of raw output and diffs are cut where they are', () => {
  const huge = 'x'.repeat(300_000)
  const diff = { type: 'diff', path: 'a', oldText: huge, newText: `${huge}y` }
  const { small, stored } = take(tool({ rawOutput: { stdout: huge, code: 0 }, content: [diff] }))
  expect(stored).toHaveLength(4)
  expect(at(small, 'rawOutput', 'code')).toBe(0)
  expect(at(small, 'rawOutput', 'stdout')).toMatch(/bytes: \/media\/4\]$/)
  expect(at(small, 'content', 0, 'newText')).toMatch(/bytes: \/media\/2\]$/)
  expect(at(take(tool({ rawOutput: huge })), 'small', 'rawOutput')).toMatch(/^x{16384}\n\[…/)
})

test('a preview never ends in half a character', () => {
  const { small } = take(tool({ rawOutput: `a${'🙂'.repeat(200_000)}` }))
  expect(at(small, 'rawOutput')).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/)
})

test('a fat _meta is moved; what is small in it stays, and streamed output stays a string', () => {
  const meta = { small: 1, list: Array.from({ length: 9_000 }, (_, index) => `entry ${index}`) }
  const { small, stored } = take(tool({ _meta: { nested: meta, kept: true } }))
  expect(JSON.parse(stored[0]!.bytes.toString())).toEqual({ nested: meta, kept: true })
  expect(at(small, '_meta')).toEqual({
    kept: true,
    quayside: {
      meta: { media: '/media/1', bytes: stored[0]!.bytes.length, mimeType: 'application/json' },
    },
  })
  const output = { terminal_output: { data: 'x'.repeat(100_000) } }
  expect(at(take(tool({ _meta: output })), 'small', '_meta', 'terminal_output', 'data')).toMatch(
    /^x{16384}\n/,
  )
})

test('an image with a fat _meta keeps both references', () => {
  const image = { type: 'image', mimeType: 'image/png', data: DATA }
  const { small } = take(chunk({ ...image, _meta: { fat: Array(20_000).fill('x') } }))
  expect(at(small, 'content', '_meta', 'quayside')).toMatchObject({
    media: '/media/1',
    meta: { media: '/media/2' },
  })
})

test.each<[string, object]>([
  ['many texts', { content: times(40, { type: 'content', content: bulk('x', 200_000) }) }],
  ['control characters', { rawOutput: '\0'.repeat(250_000) }],
  ['many images', { content: times(5_000, { type: 'image', mimeType: 'a/b', data: DATA }) }],
  [
    'many fields',
    {
      rawInput: Object.fromEntries(
        Array(90_000)
          .fill(0)
          .map((_, i) => [i, 'value']),
      ),
    },
  ],
  ['many fat _meta', { content: times(90, { _meta: { a: Array(20_000).fill('x') } }) }],
  ['a fat field of its own', { anything: Array(400_000).fill('text') }],
])('no update stays larger than 1 MiB: %s', (_what, fields) => {
  const { small, stored } = take(tool({ ...fields, title: 'kept' }))
  expect(jsonBytes(small)).toBeLessThan(MIB)
  expect(stored.length).toBeLessThanOrEqual(65)
  expect(small).toMatchObject({ sessionUpdate: 'tool_call_update', toolCallId: 'a', title: 'kept' })
})

function times(length: number, value: object): object[] {
  return Array.from({ length }, () => value)
}

function bulk(character: string, length: number): object {
  return { type: 'text', text: character.repeat(length) }
}

test('an update that is moved as a whole keeps what fits and refers to all of it', () => {
  const content = times(40, { type: 'content', content: bulk('x', 200_000) })
  const { small, stored } = take(tool({ content, _meta: { mine: 1 } }))
  expect(at(small, 'content')).toHaveLength(2)
  expect(at(small, '_meta')).toMatchObject({ mine: 1, quayside: { update: { media: '/media/1' } } })
  expect(at(JSON.parse(stored[0]!.bytes.toString()), 'content')).toHaveLength(40)
})

test('a nesting without end is cut, so that it can be stored', () => {
  const deep = JSON.parse(`${'{"_meta":['.repeat(100_000)}${']}'.repeat(100_000)}`) as object
  const plain = JSON.parse(`${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`) as object
  for (const rawOutput of [deep, plain]) {
    const { small } = take(tool({ rawOutput }))
    expect(JSON.stringify(small)).toContain('nested too deeply')
  }
})

test('hostile shapes pass or are made small, and nothing throws', () => {
  const updates = [
    '{"sessionUpdate":"x","__proto__":{"type":"image","mimeType":"a","data":"QUJD"}}',
    '{"sessionUpdate":5,"_meta":"text","content":{"type":"resource","resource":[]}}',
    '{"content":{"type":"resource","resource":{"uri":"a","blob":{},"text":7}},"_meta":[1]}',
    '{"content":{"type":"image","mimeType":"","data":["QUJD"],"uri":7,"_meta":7}}',
    '{"content":{"type":"image","mimeType":"a","data":"QUJD","uri":{},"_meta":[7]}}',
    '{"content":{"type":{"type":"image"},"text":{"text":"x"}}}',
  ]
  for (const json of updates) expect(jsonBytes(take(JSON.parse(json)).small)).toBeLessThan(500)
  const { small } = take(JSON.parse(updates[0]!))
  expect(Object.keys(small)).toContain('__proto__')
  expect(Object.getPrototypeOf(small)).toBe(Object.prototype)
})

function edit(oldText: string | null, newText: string, extra: object = {}): object {
  return tool({ content: [{ type: 'diff', path: 'a.ts', oldText, newText, ...extra }] })
}

const LINES = Array.from({ length: 6_000 }, (_, at) => `line ${at + 1} ${'x'.repeat(50)}\n`)

test('the diff of an edit of a large file is made from the whole texts', () => {
  const changed = LINES.with(5_996, 'changed\n').join('')
  const { small, stored } = take(edit(LINES.join(''), changed))
  const entry = at(small, 'content', 0)
  expect(stored.map(({ bytes }) => bytes.toString())).toEqual([LINES.join(''), changed])
  expect(at(entry, '_meta', 'quayside', 'diff')).toEqual({
    added: 1,
    removed: 1,
    patch: expect.stringMatching(/^@@ -5994,7 \+5994,7 @@\n[^]*\n-line 5997 x+\n\+changed\n/),
    oldMedia: '/media/1',
    newMedia: '/media/2',
  })
  expect(at(entry, 'newText')).toMatch(/^line 1 x+\n[^]*\[… cut here; all \d+ bytes: \/media\/2\]$/)
  expect(jsonBytes(small)).toBeLessThan(64 * 1024)
})

test('long hunks are media, and more lines than people can view are only counted', () => {
  const { small, stored } = take(edit(null, LINES.join('')))
  const made = at(small, 'content', 0, '_meta', 'quayside', 'diff')
  const [newMedia, patchMedia] = ['/media/1', '/media/2']
  expect(made).toEqual({ added: 6_000, removed: 0, patchMedia, newMedia })
  expect(stored[1]?.mimeType).toBe('text/x-diff')
  expect(stored[1]?.bytes.toString()).toMatch(/^@@ -0,0 \+1,6000 @@\n\+line 1 /)

  const huge = take(edit(null, 'line\n'.repeat(140_000))).small
  expect(at(huge, 'content', 0, '_meta', 'quayside', 'diff')).toEqual({
    added: 140_000,
    removed: 0,
    newMedia: '/media/1',
  })
})

test('many edits that are too large together all keep their diffs', () => {
  const content = Array.from({ length: 15 }, (_, file) => ({
    type: 'diff',
    path: `${file}.ts`,
    oldText: LINES.slice(0, 3_000).join(''),
    newText: LINES.slice(0, 3_000).with(file, 'changed\n').join(''),
  }))
  const { small } = take(tool({ content, rawInput: { path: '.' } }))
  expect(at(small, 'content')).toHaveLength(15)
  expect(at(small, 'content', 14, '_meta', 'quayside', 'diff')).toMatchObject({
    added: 1,
    removed: 1,
  })
  expect(at(small, 'content', 14, 'path')).toBe('14.ts')
})

test("an agent's own diff of its texts is dropped", () => {
  const forged = { _meta: { own: 1, quayside: { diff: { added: 0, removed: 0, patch: '' } } } }
  const { small } = take(edit('a\n', 'b\n', forged))
  expect(at(small, 'content', 0, '_meta')).toEqual({ own: 1, quayside: {} })
})
