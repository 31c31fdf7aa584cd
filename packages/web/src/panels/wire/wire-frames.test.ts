import type { WireFrame } from '@quayside/client'
import { expect, test } from 'vitest'
import { inRuns, matching, withFrames } from './wire-frames.js'

function frame(at: number, message: unknown, direction: WireFrame['direction'] = 'in'): WireFrame {
  return { at, direction, process: 'p1', frame: message, bytes: 10 }
}
const update = (sessionUpdate: string) => ({
  method: 'session/update',
  params: { update: { sessionUpdate } },
})

test('a repeated frame is shown once, also when several frames have the same time', () => {
  const same = update('agent_message_chunk')
  const first = [frame(1, { id: 1, method: 'initialize' }, 'out'), frame(5, same), frame(5, same)]
  const later = [...first.slice(1), frame(5, same), frame(6, update('plan'))]

  const once = withFrames([], first)
  const twice = withFrames(once, first)
  const all = withFrames(twice, later)

  expect(twice).toEqual(once)
  expect(all.map(({ frame: { at } }) => at)).toEqual([1, 5, 5, 5, 6])
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
})

test('a response names its request and its duration', () => {
  const entries = withFrames(
    [],
    [
      frame(10, { id: 7, method: 'session/prompt' }, 'out'),
      frame(11, { id: 7, method: 'session/request_permission' }, 'in'),
      frame(30, { id: 7, result: {} }, 'out'),
      frame(50, { id: 7, error: { code: 1 } }, 'in'),
      frame(60, { id: 99, result: {} }, 'in'),
      frame(70, 'Loading…', 'stderr'),
    ],
  )
  expect(entries.slice(2)).toMatchObject([
    { kind: 'answer', method: 'session/request_permission', tookMs: 19, answers: 2 },
    { kind: 'error', method: 'session/prompt', tookMs: 40, answers: 1 },
    { kind: 'answer', method: '', tookMs: undefined },
    { kind: 'text', method: '' },
  ])
})

test('runs of updates fold, and other messages do not', () => {
  const chunk = update('agent_message_chunk')
  const entries = withFrames(
    [],
    [frame(1, chunk), frame(2, chunk), frame(3, update('plan')), frame(4, chunk)],
  )
  expect(inRuns(entries).map((run) => run.length)).toEqual([2, 1, 1])
})

test('filters hold together', () => {
  const entries = withFrames(
    [],
    [
      frame(1, { id: 1, method: 'a', params: { word: 'Needle' } }, 'out'),
      frame(2, { id: 1, result: 'needle' }, 'in'),
      frame(3, { method: 'b' }, 'in'),
    ],
  )
  const find = (filter: Partial<Parameters<typeof matching>[1]>) =>
    matching(entries, { direction: 'all', method: '', text: '', ...filter }).map(({ id }) => id)
  expect(find({})).toEqual([1, 2, 3])
  expect(find({ text: 'needle' })).toEqual([1, 2])
  expect(find({ direction: 'in' })).toEqual([2, 3])
  expect(find({ method: 'a', direction: 'in' })).toEqual([2])
})

test('only the newest are kept', () => {
  const frames = Array.from({ length: 5_100 }, (_, at) => frame(at, update('plan')))
  const entries = withFrames([], frames)
  expect(entries).toHaveLength(5_000)
  expect(entries.at(-1)?.frame.at).toBe(5_099)
})
