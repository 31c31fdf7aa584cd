// Folding the end, resumption, names and state of a session.
import { expect, test } from 'vitest'
import { EventWriter, tool } from '../../test/event-writer.js'
import {
  foldEvents,
  inReadingOrder,
  type EventBody,
  type NoticeItem,
  type Transcript,
} from '../index.js'

const fold = (...bodies: readonly EventBody[]) =>
  foldEvents(new EventWriter().append(...bodies).events)

function noticesOf({ items }: Transcript): readonly NoticeItem[] {
  return items.filter((item) => item.type === 'notice')
}

const created: EventBody = {
  type: 'session.created',
  data: { repoId: 'r', extensionId: 'demo', cwd: '/repo' },
}

test('the end of a session closes everything that is open', () => {
  const writer = new EventWriter()
    .prompt('t1')
    .update(tool('c1'))
    .ask('p1', { toolCallId: 'c2' })
    .say('a')
  writer.append(
    { type: 'turn.queued', data: { turnId: 't2', prompt: [{ type: 'text', text: 'Next' }] } },
    { type: 'session.ended', data: { status: 'error', reason: 'hub_crash' } },
  )
  const transcript = foldEvents(writer.events)
  expect(transcript.items.filter(({ done }) => !done)).toEqual([])
  expect(transcript).toMatchObject({ status: 'error', turn: null, queue: [{ turnId: 't2' }] })
  expect(transcript.openPermissions.size).toBe(0)
  expect(transcript.items[1]).toMatchObject({ call: { status: 'interrupted' } })
  expect(noticesOf(transcript)[0]).toMatchObject({
    severity: 'error',
    code: 'session_failed',
    message: 'The session ended because the hub stopped unexpectedly.',
    details: { status: 'error', reason: 'hub_crash' },
  })
})

test('calls that run when a person ends the session are cancelled', () => {
  const writer = new EventWriter().prompt('t1').update(tool('c1', { status: 'in_progress' }))
  writer.append({ type: 'session.ended', data: { status: 'cancelled', reason: 'user', by: 'ada' } })
  const transcript = foldEvents(writer.events)
  expect(transcript.items[1]).toMatchObject({ call: { status: 'cancelled' }, done: true })
  expect(noticesOf(transcript)[0]).toMatchObject({ severity: 'info', code: 'session_cancelled' })
})

test('a message in the event wins over our own words', () => {
  const data = { status: 'cancelled', reason: 'user', message: 'Stopped by Ada.' } as const
  expect(noticesOf(fold({ type: 'session.ended', data }))[0]?.message).toBe('Stopped by Ada.')
})

test('a resumed session is active again', () => {
  const transcript = fold(
    created,
    { type: 'session.ended', data: { status: 'completed', reason: 'idle_timeout' } },
    { type: 'session.resumed', data: { by: 'ada' } },
  )
  expect(transcript.status).toBe('active')
  expect(noticesOf(transcript).map(({ code }) => code)).toEqual([
    'session_completed',
    'session_resumed',
  ])
})

test('the exit of an agent is reported once, by the end of its session, with its last words', () => {
  const exit = { exitCode: 3, signal: null, stderrTail: 'boom' }
  const message = 'The agent ended with exit code 3. Its last output: boom'
  const transcript = fold(
    { type: 'agent.exited', data: { reason: 'stopped', exitCode: 0 } },
    { type: 'agent.exited', data: { reason: 'crashed', ...exit } },
    {
      type: 'session.ended',
      data: { status: 'error', reason: 'agent_exited', message, details: exit },
    },
  )
  expect(noticesOf(transcript)).toMatchObject([
    { id: 'notice:3', message, details: { ...exit, status: 'error', reason: 'agent_exited' } },
  ])
})

test('a prompt that was never sent is read where it left the queue', () => {
  const queued = (turnId: string): EventBody => ({
    type: 'turn.queued',
    data: { turnId, prompt: [{ type: 'text', text: turnId }] },
  })
  const error = { code: 'removed', message: 'Removed.' }
  const transcript = fold(
    queued('one'),
    { type: 'turn.started', data: { turnId: 'one' } },
    queued('other'),
    {
      type: 'acp.update',
      data: {
        turnId: 'one',
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done.' } },
      },
    },
    { type: 'turn.ended', data: { turnId: 'one', stopReason: 'end_turn' } },
    { type: 'turn.ended', data: { turnId: 'other', error } },
  )
  expect(inReadingOrder(transcript.items).map(({ id }) => id)).toEqual([
    'user:one',
    'text:4',
    'turn:one',
    'user:other',
    'turn:other',
  ])
})

test('an agent that could not restore its memory is told of', () => {
  const started = (how: 'resume' | 'primer'): EventBody => ({
    type: 'agent.started',
    data: { acpSessionId: 'a', how },
  })
  expect(noticesOf(fold(started('resume')))).toEqual([])
  expect(noticesOf(fold(started('primer')))[0]).toMatchObject({
    severity: 'warning',
    code: 'agent_primed',
  })
})

test("a person's title wins over the agent's", () => {
  const agentTitle = (title: string | null): EventBody => ({
    type: 'acp.update',
    data: { update: { sessionUpdate: 'session_info_update', title } },
  })
  expect(fold(created, agentTitle('From the agent')).title).toBe('From the agent')
  expect(fold(created, agentTitle('A'), agentTitle(null)).title).toBeNull()
  const named: EventBody = { type: 'session.updated', data: { title: 'Mine', by: 'ada' } }
  expect(fold(created, named, agentTitle('From the agent')).title).toBe('Mine')
  const unnamed: EventBody = { type: 'session.updated', data: { title: null } }
  expect(fold(created, named, unnamed, agentTitle('From the agent')).title).toBe('From the agent')
})

test('modes, options, commands and usage are the last ones said', () => {
  const availableModes = [
    { id: 'ask', name: 'Ask' },
    { id: 'yolo', name: 'Yolo' },
  ]
  const model = { id: 'model', name: 'Model', type: 'select', currentValue: 'small' }
  const update = (fields: { sessionUpdate: string; [field: string]: unknown }): EventBody => ({
    type: 'acp.update',
    data: { update: fields },
  })
  const transcript = fold(
    {
      type: 'agent.started',
      data: {
        acpSessionId: 'a',
        how: 'new',
        modes: { currentModeId: 'ask', availableModes },
        configOptions: [model],
      },
    },
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'yolo' }),
    update({
      sessionUpdate: 'available_commands_update',
      availableCommands: [{ name: 'plan', description: '' }, 7],
    }),
    update({
      sessionUpdate: 'usage_update',
      used: 5,
      size: 10,
      cost: { amount: 'much', currency: 'USD' },
    }),
    { type: 'option.set', data: { optionId: 'model', value: 'large', by: 'ada' } },
  )
  expect(transcript.modes).toEqual({ currentModeId: 'yolo', availableModes })
  expect(transcript.configOptions).toEqual([{ ...model, currentValue: 'large' }])
  expect(transcript.commands).toEqual([{ name: 'plan', description: '' }])
  expect(transcript.usage).toEqual({ used: 5, size: 10 })
})

test('a mode set by a person counts although the agent never confirms it', () => {
  const modes = { currentModeId: 'ask', availableModes: [] }
  const transcript = fold(
    { type: 'agent.started', data: { acpSessionId: 'a', how: 'new', modes } },
    { type: 'option.set', data: { optionId: 'mode', value: 'yolo' } },
  )
  expect(transcript.modes?.currentModeId).toBe('yolo')
})

test('a plan is replaced, one for each turn', () => {
  const plan = (...contents: string[]) => ({
    sessionUpdate: 'plan',
    entries: contents.map((content) => ({ content, status: 'pending', priority: 'low' })),
  })
  const writer = new EventWriter().prompt('t1').update(plan('a')).update(plan('a', 'b')).end('t1')
  const transcript = foldEvents(writer.prompt('t2').update(plan('c')).events)
  const plans = transcript.items.filter((item) => item.type === 'plan')
  expect(plans.map(({ id, entries, done }) => [id, entries.length, done])).toEqual([
    ['plan:t1', 2, true],
    ['plan:t2', 1, false],
  ])
  expect(transcript.plan).toMatchObject([{ content: 'c' }])
})

test('a title is one line of at most 200 characters, and control characters do not end it', () => {
  const info = (title: string): EventBody => ({
    type: 'acp.update',
    data: { update: { sessionUpdate: 'session_info_update', title } },
  })
  expect(fold(created, info('Fix\u0000 the\u001B\r\nlogin')).title).toBe('Fix the login')
  expect(fold(created, info('x'.repeat(200))).title).toBe('x'.repeat(200))
  expect(fold(created, info('x'.repeat(5_000))).title).toBe(`${'x'.repeat(199)}…`)
  // A character of two units is not cut in half.
  expect(fold(created, info(`${'x'.repeat(198)}🚢🚢`)).title).toBe(`${'x'.repeat(198)}…`)
  expect(fold(created, info('\u0000')).title).toBeNull()
  const prompt = [{ type: 'text', text: 'Fix\u0000 it\nnow' } as const]
  const queued: EventBody = { type: 'turn.queued', data: { turnId: 't1', prompt } }
  expect(fold(created, queued).title).toBe('Fix it')
})

test('the first prompt names a session until somebody finds a better title', () => {
  const long = `${'word '.repeat(30)}\nsecond line`
  const prompt = (turnId: string, text: string): EventBody => ({
    type: 'turn.queued',
    data: { turnId, prompt: [{ type: 'text', text }] },
  })
  expect(fold(created, prompt('t1', 'Fix the tests'), prompt('t2', 'More')).title).toBe(
    'Fix the tests',
  )
  expect(fold(created, prompt('t1', long)).title).toMatch(/^(word )+word…$/)
  expect(fold(created, prompt('t1', long)).title?.length).toBeLessThanOrEqual(60)
  const info: EventBody = {
    type: 'acp.update',
    data: { update: { sessionUpdate: 'session_info_update', title: 'Better' } },
  }
  expect(fold(created, prompt('t1', 'Fix'), info).title).toBe('Better')
})

test('a chunk that replaces is all of its message so far', () => {
  const chunk = (text: string, replaces = false): EventBody => ({
    type: 'acp.update',
    data: {
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text },
        ...(replaces && { _meta: { quayside: { replaces: true } } }),
      },
    },
  })
  const { items } = fold(created, chunk('Hello'), chunk(' World'), chunk('Help', true), chunk('!'))
  expect(items).toMatchObject([{ type: 'text', text: 'Help!' }])
})

test('the options an agent lists after a change are the options', () => {
  const option = { id: 'model', name: 'Model', type: 'select', currentValue: 'a' }
  const set: EventBody = {
    type: 'option.set',
    data: { optionId: 'model', value: 'b', configOptions: [option, { ...option, id: 'more' }] },
  }
  expect(fold(created, set).configOptions).toMatchObject([
    { id: 'model', currentValue: 'b' },
    { id: 'more', currentValue: 'a' },
  ])
})

test('prompts that wait outlive a failure, but not an end on purpose', () => {
  const waiting: EventBody = {
    type: 'turn.queued',
    data: { turnId: 't1', prompt: [{ type: 'text', text: 'Next' }] },
  }
  const ended = (status: 'error' | 'cancelled'): EventBody => ({
    type: 'session.ended',
    data: { status, reason: 'x' },
  })
  expect(fold(created, waiting, ended('error')).queue).toHaveLength(1)
  expect(fold(created, waiting, ended('cancelled')).queue).toEqual([])
})

test('a waiting prompt can be edited and moved', () => {
  const queued = (turnId: string, text: string, before?: string | null): EventBody => ({
    type: 'turn.queued',
    data: { turnId, prompt: [{ type: 'text', text }], ...(before !== undefined && { before }) },
  })
  const three = [queued('a', 'A'), queued('b', 'B'), queued('c', 'C')]
  const order = (...more: EventBody[]) =>
    fold(created, ...three, ...more).queue.map(({ turnId }) => turnId)
  expect(order()).toEqual(['a', 'b', 'c'])
  expect(order(queued('c', 'C', 'a'))).toEqual(['c', 'a', 'b'])
  expect(order(queued('a', 'A', null))).toEqual(['b', 'c', 'a'])
  expect(order(queued('b', 'B2'))).toEqual(['a', 'b', 'c'])
  const edited = fold(created, ...three, queued('b', 'B2'))
  expect(edited.items.filter(({ type }) => type === 'user')).toMatchObject([
    { text: 'A' },
    { text: 'B2', waiting: true },
    { text: 'C' },
  ])
})

test('what a command printed in a terminal is in the tool call that shows it, whichever came first', () => {
  const opened: EventBody = {
    type: 'terminal.opened',
    data: { terminalId: 'x', command: 'npm', args: ['test'], cwd: '/repo' },
  }
  const exited: EventBody = {
    type: 'terminal.exited',
    data: { terminalId: 'x', exitCode: 1, signal: null, output: 'no', truncated: false },
  }
  const call: EventBody = {
    type: 'acp.update',
    data: { update: { ...tool('c1'), content: [{ type: 'terminal', terminalId: 'x' }] } },
  }
  const terminals = (...bodies: EventBody[]) => {
    const { items } = fold(created, ...bodies)
    return items.flatMap((item) => (item.type === 'tool' ? [item.call.terminals] : []))
  }
  expect(terminals(opened, call)).toMatchObject([[{ command: 'npm', isRunning: true }]])
  const ended = [[{ command: 'npm', isRunning: false, exitCode: 1, output: 'no' }]]
  expect(terminals(opened, call, exited)).toMatchObject(ended)
  expect(terminals(opened, exited, call)).toMatchObject(ended)
  expect(terminals(call)).toEqual([undefined])
})
