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
  expect(stepAfter(writer)).toEqual({ type: 'permission' })
  writer.answer('p1', 'yes')
  const asked = { questionId: 'q1', message: 'Which?', mode: 'form' } as const
  writer.append({ type: 'question.asked', data: asked })
  expect(stepAfter(writer)).toEqual({ type: 'question' })
})

test('a title that is a whole program is cut', () => {
  const title = 'x'.repeat(5_000)
  const writer = new EventWriter().prompt('t1').update({ ...tool('c1'), title })
  expect(JSON.stringify(stepAfter(writer)).length).toBeLessThan(300)
})
