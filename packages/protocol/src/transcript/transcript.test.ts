// Folding turns: texts, tool calls, plans, permissions and questions.
import { expect, test } from 'vitest'
import { chunk, EventWriter, tool, toolUpdate } from '../../test/event-writer.js'
import {
  activityOf,
  applyEvent,
  emptyTranscript,
  finalText,
  foldEvents,
  forgetSettled,
  inReadingOrder,
  type Item,
  type ItemOf,
  type ItemType,
} from '../index.js'

const log = () => new EventWriter()
const fold = (writer: EventWriter) => foldEvents(writer.events)

function itemsOf<Type extends ItemType>(items: readonly Item[], type: Type): ItemOf<Type>[] {
  return items.filter((item): item is ItemOf<Type> => item.type === type)
}
const textsOf = (writer: EventWriter) => itemsOf(fold(writer).items, 'text').map(({ text }) => text)

test('chunks of one answer become one text', () => {
  const { items } = fold(log().prompt('t1').say('Hel', 'lo ', 'you'))
  expect(items.at(-1)).toMatchObject({
    id: 'text:3',
    text: 'Hello you',
    done: false,
    updatedSeq: 5,
  })
})

test('usage, commands, titles and unknown updates do not break a text', () => {
  const writer = log().prompt('t1').say('one ')
  writer.update({ sessionUpdate: 'usage_update', used: 1, size: 2 })
  writer.update({ sessionUpdate: 'available_commands_update', availableCommands: [] })
  writer.update({ sessionUpdate: 'session_info_update', title: 'A title' })
  writer.update({ sessionUpdate: 'from_the_future', thing: 1 })
  expect(textsOf(writer.say('two'))).toEqual(['one two'])
})

test("the hub's own notices and a queued prompt do not break a text", () => {
  const writer = log().prompt('t1').say('one ')
  const notice = { severity: 'warning', code: 'silence', message: 'Silent.' } as const
  writer.append(
    { type: 'notice', data: { ...notice, turnId: 't1' } },
    { type: 'turn.queued', data: { turnId: 't2', prompt: [{ type: 'text', text: 'Next.' }] } },
  )
  expect(textsOf(writer.say('two'))).toEqual(['one two'])
})

test('a new tool call ends a text, news about a known one does not', () => {
  const writer = log().prompt('t1').update(tool('c1')).say('a').update(toolUpdate('c1')).say('b')
  expect(textsOf(writer.update(tool('c2')).say('c'))).toEqual(['ab', 'c'])
})

test('the first plan ends a text, its replacement does not', () => {
  const plan = { sessionUpdate: 'plan', entries: [{ content: 'Look' }] }
  const writer = log().prompt('t1').say('a').update(plan).say('b').update(plan).say('c')
  expect(textsOf(writer)).toEqual(['a', 'bc'])
})

test('a thought ends a text and a text ends a thought', () => {
  const { items } = fold(log().prompt('t1').think('hm', 'm').say('a').think('oh').say('b'))
  expect(items.slice(1).map((item) => [item.type, 'text' in item && item.text, item.done])).toEqual(
    [
      ['thought', 'hmm', true],
      ['text', 'a', true],
      ['thought', 'oh', true],
      ['text', 'b', false],
    ],
  )
})

test('a new message id begins a new text, a missing one continues', () => {
  const writer = log().prompt('t1')
  writer.update(chunk('agent_message_chunk', 'a', 'm1')).say('b')
  writer.update(chunk('agent_message_chunk', 'c', 'm1'))
  writer.update(chunk('agent_message_chunk', 'd', 'm2'))
  expect(textsOf(writer)).toEqual(['abc', 'd'])
})

test('an empty chunk makes no item', () => {
  expect(fold(log().prompt('t1').say('')).items).toHaveLength(1)
})

test('an image between texts is an item of its own', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
  const writer = log().prompt('t1').say('a')
  writer.update({ sessionUpdate: 'agent_message_chunk', content: image }).say('b')
  const { items } = fold(writer)
  expect(items.map(({ type }) => type)).toEqual(['user', 'text', 'content', 'text'])
  expect(items[2]).toMatchObject({ id: 'content:4', block: image, done: true })
})

test('an echo of the prompt is not shown twice', () => {
  const writer = log().prompt('t1', 'Hi').update(chunk('user_message_chunk', 'Hi'))
  expect(itemsOf(fold(writer).items, 'user')).toHaveLength(1)
})

test('a replayed prompt outside of any turn is kept', () => {
  const writer = log()
    .update(chunk('user_message_chunk', 'Old '))
    .update(chunk('user_message_chunk', 'one'))
  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' }
  writer.update({ sessionUpdate: 'user_message_chunk', content: image })
  const users = itemsOf(fold(writer).items, 'user')
  expect(users.map(({ id, text }) => [id, text])).toEqual([
    ['replay:1', 'Old one'],
    ['replay:3', ''],
  ])
  expect(users[0]?.blocks).toEqual([{ type: 'text', text: 'Old one' }])
})

test('what an agent says before the first prompt belongs to no turn and is not waited for', () => {
  const { items } = fold(log().say('pi ', 'v0.87').prompt('t1').say('Hello'))
  expect(items[0]).toMatchObject({ text: 'pi v0.87', done: true })
  expect(items[0]).not.toHaveProperty('turnId')
  expect(items.at(-1)).toMatchObject({ turnId: 't1', text: 'Hello' })
})

test('the end of a turn completes everything in it', () => {
  const writer = log()
    .prompt('t1')
    .think('hm')
    .update(tool('c1', { status: 'in_progress' }))
  writer
    .update({ sessionUpdate: 'plan', entries: [{ content: 'Look' }] })
    .say('a')
    .ask('p1', { toolCallId: 'c2' })
  const transcript = fold(writer.end('t1'))
  expect(transcript.items.filter(({ done }) => !done)).toEqual([])
  expect(transcript.turn).toBeNull()
  expect(activityOf(transcript)).toBe('idle')
  expect(itemsOf(transcript.items, 'permission')[0]?.outcome).toEqual({ outcome: 'cancelled' })
})

test('a turn that never started can end', () => {
  const writer = log()
    .prompt('t1')
    .append({
      type: 'turn.queued',
      data: { turnId: 't2', prompt: [{ type: 'text', text: 'Later' }] },
    })
  expect(fold(writer).queue.map(({ turnId }) => turnId)).toEqual(['t2'])
  const transcript = fold(writer.end('t2', 'cancelled'))
  expect(transcript.queue).toEqual([])
  expect(transcript.turn?.turnId).toBe('t1')
  expect(itemsOf(transcript.items, 'user').at(-1)).toMatchObject({ turnId: 't2', waiting: false })
})

test('a late text of an ended turn keeps its turn and is done', () => {
  const writer = log()
    .prompt('t1')
    .say('a')
    .end('t1')
    .update(chunk('agent_message_chunk', 'late'), 't1')
  expect(fold(writer).items.at(-1)).toMatchObject({ turnId: 't1', text: 'late', done: true })
})

test('a late text of an ended turn does not run into the text of the next one', () => {
  const writer = log().prompt('t1').end('t1').prompt('t2').say('new')
  writer.update(chunk('agent_message_chunk', 'late'), 't1').say('er')
  const texts = itemsOf(fold(writer).items, 'text').map(({ turnId, text }) => [turnId, text])
  expect(texts).toEqual([
    ['t2', 'new'],
    ['t1', 'late'],
    ['t2', 'er'],
  ])
})

test('a queued prompt is read where its turn begins', () => {
  const writer = log()
    .prompt('t1')
    .say('a')
    .append({
      type: 'turn.queued',
      data: { turnId: 't2', prompt: [{ type: 'text', text: 'Next' }] },
    })
  const ids = () => inReadingOrder(fold(writer).items).map(({ id }) => id)
  writer.update(tool('c1'))
  expect(ids()).toEqual(['user:t1', 'text:3', 'tool:t1:c1', 'user:t2'])
  writer
    .end('t1')
    .append({ type: 'turn.started', data: { turnId: 't2' } })
    .say('b')
  expect(ids()).toEqual(['user:t1', 'text:3', 'tool:t1:c1', 'turn:t1', 'user:t2', 'text:8'])
})

test('an event changes only the items it names, and the array stays the same', () => {
  const transcript = emptyTranscript()
  const { items } = transcript
  const writer = log().prompt('t1').say('a').update(tool('c1')).say('b')
  for (const event of writer.events) {
    const before = [...items]
    const changed = applyEvent(transcript, event)
    const differs = items.filter((item, position) => item !== before[position]).map(({ id }) => id)
    expect(differs.toSorted()).toEqual([...changed].toSorted())
  }
  expect(transcript.items).toBe(items)
})

test('an answer of a hundred thousand chunks is one text', () => {
  const writer = log().prompt('t1')
  for (let count = 0; count < 100_000; count += 1) writer.say('ab')
  const { items } = fold(writer.end('t1'))
  expect(items).toHaveLength(3)
  expect(finalText(items, 't1')).toBe('ab'.repeat(100_000))
})

test('events folded before are ignored, a gap is refused', () => {
  const { events } = log().prompt('t1').say('a', 'b', 'c')
  const transcript = foldEvents(events.slice(0, 3))
  expect(applyEvent(transcript, events[1]!)).toEqual([])
  expect(() => applyEvent(transcript, events[4]!)).toThrow('Event 5 cannot follow event 3')
})

test('folding may begin in the middle of a log, with what is known there', () => {
  const { events } = log().prompt('t1').say('a', 'b', 'c')
  expect(foldEvents(events.slice(3)).items).toMatchObject([{ text: 'bc', done: true }])
  const known = emptyTranscript({ seq: 3, turn: { turnId: 't1', startedSeq: 2, startedAt: 2000 } })
  for (const event of events) applyEvent(known, event)
  expect(known.items).toMatchObject([{ text: 'bc', turnId: 't1', done: false }])
})

test('forgetting drops finished turns and keeps what lives', () => {
  const writer = log()
    .prompt('t1')
    .say('a')
    .end('t1')
    .prompt('t2')
    .say('b')
    .append({
      type: 'turn.queued',
      data: { turnId: 't3', prompt: [{ type: 'text', text: 'Next' }] },
    })
  const transcript = fold(writer)
  const { items } = transcript
  forgetSettled(transcript)
  expect(items.map(({ id }) => id)).toEqual(['user:t2', 'text:7', 'user:t3'])
  expect([...transcript.index]).toEqual([
    ['user:t2', 0],
    ['text:7', 1],
    ['user:t3', 2],
  ])
  const more = log()
  more.events.push(...writer.events)
  for (const event of more.say('c').events) applyEvent(transcript, event)
  expect(items[1]).toMatchObject({ text: 'bc' })
})

test('forgetting does not cut a text that goes on outside of a turn', () => {
  const { events } = log().say('pi ', 'v0.87')
  const transcript = foldEvents(events.slice(0, 1))
  forgetSettled(transcript)
  expect(applyEvent(transcript, events[1]!)).toEqual(['text:1'])
  expect(transcript.items).toMatchObject([{ text: 'pi v0.87' }])
})

test('activity is waiting while a permission or a question is open', () => {
  const writer = log()
  const activity = () => activityOf(fold(writer))
  expect(activity()).toBe('idle')
  expect((writer.prompt('t1'), activity())).toBe('working')
  expect((writer.ask('p1', { toolCallId: 'c1' }), activity())).toBe('waiting')
  expect((writer.answer('p1', 'yes'), activity())).toBe('working')
  const question = { questionId: 'q1', message: 'Which?', mode: 'form' }
  writer.append({ type: 'question.asked', data: question })
  expect(activity()).toBe('waiting')
  writer.append({
    type: 'question.answered',
    data: { questionId: 'q1', action: 'accept', by: 'ada' },
  })
  expect(activity()).toBe('working')
  expect(itemsOf(fold(writer).items, 'question')[0]).toMatchObject({
    action: 'accept',
    done: true,
    by: 'ada',
  })
})

test('the final text is what was said after the last tool call', () => {
  const writer = log()
    .prompt('t1')
    .say('Let me look.')
    .update(tool('c1'))
    .think('hm')
    .say('It is ', 'blue.')
  expect(finalText(fold(writer.end('t1')).items, 't1')).toBe('It is blue.')
})

test('the final text is all of it when nothing follows the last tool call', () => {
  const writer = log()
    .prompt('t1')
    .say('First.')
    .update(tool('c1'))
    .say('Second.')
    .update(tool('c2'))
    .say(' ')
  expect(finalText(fold(writer.end('t1')).items, 't1')).toBe('First.\n\nSecond.')
  expect(finalText(fold(log().prompt('t1').think('hm').end('t1')).items, 't1')).toBe('')
})

test('pieces of one message around a thought are joined without a break', () => {
  const writer = log()
    .prompt('t1')
    .update(chunk('agent_message_chunk', 'a', 'm1'))
    .think('hm')
  writer
    .update(chunk('agent_message_chunk', 'b', 'm1'))
    .update(chunk('agent_message_chunk', 'c', 'm2'))
  expect(finalText(fold(writer.end('t1')).items, 't1')).toBe('ab\n\nc')
})

test('a turn without any answer says so, thoughts are none', () => {
  const end = (writer: EventWriter) => fold(writer.end('t1')).items.at(-1)
  expect(end(log().prompt('t1'))).toMatchObject({ id: 'turn:t1', empty: true })
  expect(end(log().prompt('t1').think('hm').say(' \n'))).toMatchObject({ empty: true })
  expect(end(log().prompt('t1').say('a'))).toMatchObject({ empty: false, stopReason: 'end_turn' })
  expect(end(log().prompt('t1').update(tool('c1')))).toMatchObject({ empty: false })
})
