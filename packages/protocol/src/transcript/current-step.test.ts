// The current step of a session, read from its transcript.
import { expect, test } from 'vitest'
import { EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import { currentStepOf, foldEvents } from '../index.js'

const stepAfter = (writer: EventWriter) => currentStepOf(foldEvents(writer.events))

test('the step of a session is the tool call it is in the middle of, with the file it names', () => {
  const writer = new EventWriter().prompt('t1')
  expect(stepAfter(writer)).toBeUndefined()

  writer.update({ ...tool('c1'), kind: 'execute', title: 'npm test' })
  expect(stepAfter(writer)).toEqual({ type: 'tool', kind: 'execute', title: 'npm test' })
  const locations = [{ path: '/shop/src/orders.ts' }]
  writer.update({ ...tool('c2'), kind: 'edit', title: 'Edit', locations })
  expect(stepAfter(writer)).toMatchObject({ kind: 'edit', path: '/shop/src/orders.ts' })

  writer.update({ ...toolUpdate('c2'), status: 'completed' })
  expect(stepAfter(writer)).toMatchObject({ kind: 'execute' })
})

test('what waits for a person comes before what runs', () => {
  const writer = new EventWriter().prompt('t1').update({ ...tool('c1'), kind: 'edit' })
  writer.ask('p1', { toolCallId: 'c1' })
  expect(stepAfter(writer)).toEqual({ type: 'permission', since: '1970-01-01T00:00:04.000Z' })
  writer.answer('p1', 'yes')
  const expiresAt = '1970-01-02T00:00:00.000Z'
  const asked = { questionId: 'q1', message: 'Which?', mode: 'form', expiresAt } as const
  writer.append({ type: 'question.asked', data: asked })
  expect(stepAfter(writer)).toMatchObject({ type: 'question', expiresAt })
})

test('a turn that nobody decided in time is the step until the next turn', () => {
  const writer = new EventWriter().prompt('t1')
  const end = { turnId: 't1', stopReason: 'cancelled', reason: 'decision_timeout' } as const
  writer.append({ type: 'turn.ended', data: end })
  expect(stepAfter(writer)).toEqual({ type: 'timeout' })
  expect(stepAfter(writer.prompt('t2'))).toBeUndefined()
})

test('a title that is a whole program is cut', () => {
  const title = 'x'.repeat(5_000)
  const writer = new EventWriter().prompt('t1').update({ ...tool('c1'), title })
  expect(JSON.stringify(stepAfter(writer)).length).toBeLessThan(300)
})
