// A log that is read in parts, each folded from a checkpoint before it, has the same items as one that is folded whole.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chunk, EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { type Random, withSeeds } from '../../test/random.js'
import { readRecording } from '../../test/recording.js'
import {
  applyEvent,
  emptyTranscript,
  foldEvents,
  forgetSettled,
  inReadingOrder,
  isOpen,
  isRecent,
  type Item,
  LATE_EVENTS,
  loadState,
  loadTranscript,
  type SavedTranscript,
  saveState,
  saveTranscript,
  type SessionEvent,
  type Transcript,
} from '../index.js'

/** Stored and read again, after most of the past was forgotten. */
function checkpointAt(events: readonly SessionEvent[], seq: number): Transcript {
  const transcript = emptyTranscript()
  for (const event of events.slice(0, seq)) {
    applyEvent(transcript, event)
    if (event.seq % 50 === 0 || event.seq === seq) forgetSettled(transcript)
  }
  const stored = JSON.stringify(saveTranscript(transcript))
  return loadTranscript(JSON.parse(stored) as SavedTranscript)
}

class Log {
  readonly #events: readonly SessionEvent[]

  constructor(events: readonly SessionEvent[]) {
    this.#events = events
  }

  /** The state before event `end`, folded from the last checkpoint that is exact at `cut`. */
  fold(cut: number, end: number): Transcript {
    const transcript = checkpointAt(this.#events, Math.max(0, cut - 1 - LATE_EVENTS))
    for (const event of this.#events.slice(transcript.seq, end - 1)) applyEvent(transcript, event)
    return transcript
  }

  page(cut: number, end: number): readonly Item[] {
    const transcript = this.fold(cut, end)
    return transcript.items.filter(
      (item) => item.updatedSeq >= cut || isOpen(transcript, item) || isRecent(transcript, item),
    )
  }
}

function expectSameInParts(events: readonly SessionEvent[], cuts: readonly number[]): void {
  const log = new Log(events)
  const items = new Map<string, Item>()
  let end = events.length + 1
  for (const cut of [...cuts.toSorted((a, b) => b - a), 1]) {
    // A newer part has the newer state.
    for (const item of log.page(cut, end)) if (!items.has(item.id)) items.set(item.id, item)
    end = cut
  }
  expect(inReadingOrder([...items.values()])).toEqual(inReadingOrder(foldEvents(events).items))
}

test.each(
  readdirSync(new URL('../../recordings', import.meta.url)).map((file) => file.split('.')[0]!),
)('%s, cut anywhere, has the same items', (name) => {
  const events = readRecording(name)
  expectSameInParts(
    events,
    [1, 2, 3, 4].map((part) => Math.ceil((part * events.length) / 5)),
  )
})

test('long logs that are cut anywhere have the same items', () => {
  withSeeds(12, (random) => {
    const { events } = longLog(random)
    const cuts = Array.from({ length: 1 + random.below(12) }, () => 1 + random.below(events.length))
    expectSameInParts(events, [...new Set(cuts)])
  })
})

test('a reader that restores the last part goes on like one that has the whole log', () => {
  withSeeds(12, (random) => {
    const { events } = longLog(random)
    const log = new Log(events)
    const end = Math.floor(events.length / 2) + random.below(events.length / 4)
    const cut = end - random.below(50)
    const before = log.fold(cut, end)
    const shown = before.items.filter(
      (item) => item.updatedSeq >= cut || isOpen(before, item) || isRecent(before, item),
    )
    const reader = loadState(saveState(before), inReadingOrder(shown))
    for (const event of events.slice(end - 1)) applyEvent(reader, event)
    const whole = foldEvents(events)
    expect(reader.queue).toEqual(whole.queue)
    expect(reader.plan).toEqual(whole.plan)
    expect(reader.turn?.turnId).toBe(whole.turn?.turnId)
    const known = new Map(whole.items.map((item) => [item.id, item]))
    for (const item of reader.items) expect(item).toEqual(known.get(item.id))
  })
})

test('a call that ended long ago begins again where its agent updates it', () => {
  const writer = new EventWriter().prompt('t1').update(tool('old', { status: 'completed' }))
  for (let call = 0; call < 40; call += 1)
    writer.update(tool(`c${call}`, { title: 'Read', status: 'completed' }))
  writer.update(toolUpdate('c39', { title: 'Soon' })).update(toolUpdate('old', { title: 'Late' }))
  const { items } = foldEvents(writer.events)
  expect(items.at(-2)).toMatchObject({ id: 'tool:t1:c39', call: { title: 'Soon' } })
  expect(items.at(-1)).toMatchObject({ id: 'tool:t1:old', seq: 45, call: { title: 'Late' } })
  expect(items.filter(({ id }) => id === 'tool:t1:old')).toHaveLength(1)
})

test('a command that outlives its call is open until it exits', () => {
  const writer = new EventWriter().prompt('t1')
  writer.append({
    type: 'terminal.opened',
    data: { terminalId: 'x', command: 'npm', args: ['start'], cwd: '/repo' },
  })
  const content = [{ type: 'terminal', terminalId: 'x' }]
  writer.update(tool('serve', { title: 'Serve', status: 'completed', content }))
  for (let count = 0; count < 2 * LATE_EVENTS; count += 1) writer.say('and ').think('hm')
  writer.append({ type: 'terminal.exited', data: { terminalId: 'x', exitCode: 0, signal: null } })
  expectSameInParts(writer.events, [300, 500, 700])
  const serve = foldEvents(writer.events).items.find(({ type }) => type === 'tool')
  expect(serve).toMatchObject({ call: { terminals: [{ isRunning: false, exitCode: 0 }] } })
})

test('a checkpoint does not grow with its session', () => {
  const sizes = [1_000, 4_000].map((count) => {
    const writer = new EventWriter().prompt('t1')
    for (let call = 0; call < count; call += 1)
      writer
        .update(tool(`c${call}`, { title: 'Read', status: 'pending' }))
        .update(toolUpdate(`c${call}`, { status: 'completed', content: [] }))
    const transcript = emptyTranscript()
    for (const event of writer.events) {
      applyEvent(transcript, event)
      if (event.seq % 500 === 0) forgetSettled(transcript)
    }
    forgetSettled(transcript)
    expect(transcript.items.length).toBeLessThan(40)
    return JSON.stringify(saveTranscript(transcript)).length
  })
  expect(sizes[1]).toBeLessThan(sizes[0]! * 1.1)
})

/** Several hundred events in a few turns, with a queue that is seldom empty. */
function longLog(random: Random): EventWriter {
  const writer = new EventWriter()
  let calls = 0
  let queued = 1
  writer.prompt('t1')
  for (let turn = 1; turn <= 4; turn += 1) {
    const first = calls
    for (let count = 50 + random.below(200); count > 0; count -= 1) {
      if (random.chance(0.01)) {
        queued += 1
        const prompt = [{ type: 'text' as const, text: `Then ${queued}` }]
        writer.append({ type: 'turn.queued', data: { turnId: `t${queued}`, prompt } })
      } else if (random.chance(0.3)) writer.update(newCall(random, calls++))
      else writer.update(laterUpdate(random, first + random.below(Math.max(1, calls - first))))
    }
    writer.end(`t${turn}`, random.pick(['end_turn', 'cancelled']))
    if (random.chance(0.5)) writer.update(laterUpdate(random, calls - 1))
    if (turn === queued) queued += 1
    if (turn < 4) writer.append(...startOf(writer, `t${turn + 1}`))
  }
  return writer
}

function startOf({ events }: EventWriter, turnId: string) {
  const isQueued = events.some(({ type, data }) => type === 'turn.queued' && data.turnId === turnId)
  const prompt = [{ type: 'text' as const, text: 'Go on' }]
  const started = { type: 'turn.started', data: { turnId } } as const
  return isQueued
    ? [started]
    : [{ type: 'turn.queued', data: { turnId, prompt } } as const, started]
}

function newCall(random: Random, call: number) {
  const content = random.chance(0.2) ? [{ type: 'terminal', terminalId: `x${call}` }] : undefined
  return tool(`c${call}`, {
    title: `Read ${call}`,
    status: random.pick(['pending', 'completed']),
    content,
  })
}

function laterUpdate(random: Random, call: number) {
  switch (random.below(8)) {
    case 0:
    case 1:
      return toolUpdate(`c${call}`, { status: random.pick(['completed', 'failed', 'in_progress']) })
    case 2:
      return toolUpdate(`c${call}`, { _meta: { terminal_output_delta: { data: `${call} ` } } })
    case 3:
      return { sessionUpdate: 'plan', entries: [{ content: `Step ${call}` }] }
    case 4:
      return chunk('agent_thought_chunk', 'hm ')
    default:
      return chunk('agent_message_chunk', `word ${call} `, random.pick([undefined, 'm1']))
  }
}
