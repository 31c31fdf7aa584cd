// Random and hostile logs: the reducer always yields whole items, however chunks and pages are split.
import { expect, test } from 'vitest'
import { chunk, EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { withSeeds, type Random } from '../../test/random.js'
import {
  applyEvent,
  emptyTranscript,
  finalText,
  foldEvents,
  isFinalStatus,
  inReadingOrder,
  loadState,
  messageOf,
  saveState,
  type SessionUpdate,
} from '../index.js'

const FRAGMENTS = [
  '```ts\nconst a = `x`\n```\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '👩‍👩‍👧‍👦 🇪🇺 é e\u0301 ',
  '**bold** _it_ ',
  '\n\n',
  ' ',
  '<think>no</think>',
  '[MODE_UPDATE] plan',
  'plain words ',
  '\u0000\uFFFD',
]

const STATUSES = ['pending', 'in_progress', 'completed', 'failed', null, undefined, 'paused']

const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  Number.NaN,
  '',
  '__proto__',
  'text',
  true,
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { type: 'text', text: null },
  { type: 'text', text: 'x' },
  { type: 'image', mimeType: 1 },
  { type: 'content', content: { type: 'diff' } },
  JSON.parse('{"__proto__":{"polluted":true},"toolCallId":"__proto__"}'),
]
const KINDS = [
  'user_message_chunk',
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
  'notice',
  '',
]
const FIELDS = [
  'content',
  'messageId',
  'toolCallId',
  'title',
  'name',
  'kind',
  'status',
  'locations',
  'rawInput',
  'rawOutput',
  '_meta',
  'entries',
  'availableCommands',
  'currentModeId',
  'configOptions',
  'used',
  'size',
  'cost',
]

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(12) }, () => random.pick(FRAGMENTS)).join('')
}

/** Cuts at any position, also inside surrogate pairs, down to single characters. */
function split(random: Random, text: string): readonly string[] {
  const longest = random.pick([1, 3, 40])
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const length = 1 + random.below(longest)
    pieces.push(text.slice(from, from + length))
    from += length
  }
  return pieces
}

function hostileUpdate(random: Random): SessionUpdate {
  const fields = FIELDS.filter(() => random.chance(0.4)).map((field) => [
    field,
    random.pick(HOSTILE),
  ])
  return { ...Object.fromEntries(fields), sessionUpdate: random.pick(KINDS) }
}

function randomUpdate(random: Random): SessionUpdate {
  const id = `c${random.below(3)}`
  const status = random.pick(STATUSES)
  switch (random.below(6)) {
    case 0:
      return tool(id, { title: 'Read', status })
    case 1:
      return toolUpdate(id, { status })
    case 2:
      return chunk('agent_thought_chunk', random.pick(FRAGMENTS))
    case 3:
      return { sessionUpdate: 'plan', entries: [{ content: 'Look' }] }
    case 4:
      return hostileUpdate(random)
    default:
      return chunk(
        'agent_message_chunk',
        random.pick(FRAGMENTS),
        random.pick(['m1', 'm2', undefined]),
      )
  }
}

/** A log of a few turns with every kind of event. */
function randomLog(random: Random): EventWriter {
  const writer = new EventWriter()
  for (let turn = 1; turn <= 3; turn += 1) {
    if (random.chance(0.3)) writer.update(randomUpdate(random))
    writer.prompt(`t${turn}`)
    for (let count = random.below(20); count > 0; count -= 1) {
      const permissionId = `p${turn}-${count}`
      if (random.chance(0.1)) writer.ask(permissionId, { toolCallId: `c${random.below(3)}` })
      else writer.update(randomUpdate(random))
      if (random.chance(0.05)) writer.answer(permissionId, random.pick(['yes', 'no']))
    }
    writer.end(`t${turn}`, random.pick(['end_turn', 'cancelled']))
    if (random.chance(0.3)) writer.update(randomUpdate(random), `t${turn}`)
    if (!random.chance(0.3)) continue
    const status = random.pick(['completed', 'cancelled', 'error'] as const)
    writer.append({ type: 'session.ended', data: { status, reason: 'user_request' } })
    if (turn < 3) writer.append({ type: 'session.resumed', data: {} })
  }
  return writer
}

test('a text cut anywhere is put together again', () => {
  withSeeds(200, (random) => {
    const [text, thought] = [randomText(random), randomText(random)]
    const writer = new EventWriter().prompt('t1').think(...split(random, thought))
    for (const piece of split(random, text)) {
      writer.say(piece)
      if (random.chance(0.1)) writer.update({ sessionUpdate: 'usage_update', used: 1, size: 2 })
    }
    const { items } = foldEvents(writer.end('t1').events)
    expect(items.map((item) => ('text' in item ? item.text : item.type))).toEqual([
      'Do it.',
      thought,
      text,
      'turn_end',
    ])
    expect(finalText(items, 't1')).toBe(text.trim() === '' ? '' : text)
  })
})

test('folding in two halves is folding the whole', () => {
  withSeeds(200, (random) => {
    const { events } = randomLog(random)
    const transcript = emptyTranscript()
    const half = random.below(events.length)
    for (const event of events.slice(0, half)) applyEvent(transcript, event)
    for (const event of events.slice(Math.max(0, half - 3))) applyEvent(transcript, event)
    expect(transcript).toEqual(foldEvents(events))
  })
})

test('folding goes on from the items that somebody else folded', () => {
  withSeeds(300, (random) => {
    const { events } = randomLog(random)
    const half = 1 + random.below(events.length - 1)
    const first = foldEvents(events.slice(0, half))
    const sent = structuredClone(saveState(first))
    const transcript = loadState(sent, structuredClone(inReadingOrder(first.items)))
    for (const event of events.slice(half)) applyEvent(transcript, event)
    const whole = foldEvents(events)
    expect({ ...transcript, turn: null }).toEqual({ ...whole, turn: null })
    expect(transcript.turn?.turnId).toBe(whole.turn?.turnId)
  })
})

test('a log with anything in it folds into whole items', () => {
  withSeeds(200, (random) => {
    const { events } = randomLog(random)
    const transcript = emptyTranscript()
    for (const event of events) {
      const changed = applyEvent(transcript, event)
      expect(new Set(changed).size).toBe(changed.length)
      for (const id of changed) {
        const item = transcript.items[transcript.index.get(id)!]
        expect(item).toMatchObject({ id, updatedSeq: event.seq })
        messageOf(item!)
      }
    }
    const { items, index } = transcript
    expect([...index]).toEqual(items.map(({ id }, position) => [id, position]))
    expect(items.map(({ seq }) => seq)).toEqual(
      items.map(({ seq }) => seq).toSorted((a, b) => a - b),
    )
    expect(items.filter(({ seq, updatedSeq }) => seq > updatedSeq)).toEqual([])
  })
})

test('hostile updates never throw', () => {
  withSeeds(500, (random) => {
    const writer = new EventWriter()
    if (random.chance(0.5)) writer.prompt('t1')
    for (let count = 0; count < 20; count += 1) writer.update(hostileUpdate(random))
    const { items } = foldEvents(writer.end('t1').events)
    for (const item of items) JSON.stringify(messageOf(item))
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

test('in any order of tool updates a final status stays final', () => {
  withSeeds(300, (random) => {
    const transcript = emptyTranscript()
    const writer = new EventWriter().prompt('t1')
    for (let count = 0; count < 30; count += 1) {
      const make = random.pick([tool, toolUpdate])
      writer.update(make(`c${random.below(2)}`, { status: random.pick(STATUSES) }))
    }
    const finished = new Set<string>()
    for (const event of writer.end('t1').events) {
      applyEvent(transcript, event)
      for (const item of transcript.items) {
        if (item.type !== 'tool') continue
        if (isFinalStatus(item.call.status)) finished.add(item.id)
        expect(isFinalStatus(item.call.status)).toBe(finished.has(item.id))
      }
    }
    expect(transcript.items.every(({ done }) => done)).toBe(true)
  })
})
