import type { EventBody, SessionUpdate } from '@quayside/protocol'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../log.js'
import { TurnSummary } from './turn-summary.js'
import { UpdateRecorder } from './update-recorder.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function record() {
  const events: EventBody[] = []
  const recorder = new UpdateRecorder({
    id: 'session',
    eventLog: { write: (_id, body) => void events.push(body) },
    quirks: {},
    putMedia: () => '/media/1',
    silenceMs: 10_000,
    isWaiting: () => false,
    onActivity: () => {},
    onNotStored: () => {},
    log: createLog('silent'),
  })
  const turnIds = () => events.map(({ data }) => ('turnId' in data ? data.turnId : undefined))
  const codes = () => events.flatMap(({ type, data }) => (type === 'notice' ? [data.code] : []))
  return { recorder, turnIds, codes }
}

const text = (said: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: said },
})

test('text between two prompts belongs to the turn before, also when the next prompt was not sent', () => {
  const { recorder, turnIds } = record()
  recorder.startTurn('one', new TurnSummary())
  recorder.receive(text('In time.'), 1)
  recorder.flush()
  recorder.closeTurn()
  recorder.receive(text('Too late.'), 1)
  // A prompt that was cancelled before it was sent.
  recorder.closeTurn()
  recorder.receive(text('Much too late.'), 1)
  recorder.startTurn('two', new TurnSummary())
  recorder.receive(text('The next answer.'), 1)
  recorder.flush()
  expect(turnIds()).toEqual(['one', 'one', 'one', 'two'])
})

test('an agent that only reports its usage, or sends empty texts, is silent', () => {
  const { recorder, codes } = record()
  recorder.startTurn('one', new TurnSummary())
  for (let second = 0; second < 15; second += 1) {
    vi.advanceTimersByTime(1_000)
    recorder.receive({ sessionUpdate: 'usage_update', used: second, size: 100 }, 1)
    recorder.receive(text(''), 1)
  }
  expect(codes()).toEqual(['agent_silent'])
  recorder.closeTurn()
})

test.each([
  text('word'),
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } },
  { sessionUpdate: 'tool_call', toolCallId: 'a', title: 'Read' },
  { sessionUpdate: 'tool_call_update', toolCallId: 'a', status: 'completed' },
  { sessionUpdate: 'plan', entries: [] },
])('an agent that sends $sessionUpdate is not silent', (update) => {
  const { recorder, codes } = record()
  recorder.startTurn('one', new TurnSummary())
  for (let second = 0; second < 15; second += 1) {
    vi.advanceTimersByTime(1_000)
    recorder.receive(update, 1)
  }
  expect(codes()).toEqual([])
  recorder.closeTurn()
})
