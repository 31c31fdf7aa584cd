// Events become the updates that an ACP client gets: prompts, tool calls, terminals, modes and options.
import type { EventBody, SessionEvent } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { SessionView } from './session-view.js'

function updatesOf(...bodies: EventBody[]): unknown[] {
  const view = new SessionView()
  return bodies.flatMap((body, index) => {
    const event = { sessionId: 's', seq: index + 1, at: 0, ...body } as SessionEvent
    return view.take(event)
  })
}

const call = { toolCallId: 'c', title: 'ls', kind: 'execute' } as const
const queued = (turnId: string, text: string): EventBody => ({
  type: 'turn.queued',
  data: { turnId, prompt: [{ type: 'text', text }] },
})
const started = (turnId: string): EventBody => ({ type: 'turn.started', data: { turnId } })
const asked: EventBody = {
  type: 'permission.requested',
  data: { permissionId: 'p', toolCall: call, options: [] },
}
const update = (fields: { sessionUpdate: string; [field: string]: unknown }): EventBody => ({
  type: 'acp.update',
  data: { update: fields },
})

test('a prompt is sent when its turn starts, as it was last edited', () => {
  expect(updatesOf(queued('a', 'first'), queued('a', 'edited'), started('a'))).toEqual([
    {
      sessionUpdate: 'user_message_chunk',
      content: { type: 'text', text: 'edited' },
      messageId: 'a',
    },
  ])
})

test('a tool call that only a permission mentions is sent once', () => {
  const introduced = { sessionUpdate: 'tool_call', ...call, status: 'pending' }
  expect(updatesOf(started('a'), asked, asked)).toEqual([introduced])
  const named = { sessionUpdate: 'tool_call', ...call }
  expect(updatesOf(started('a'), update(named), asked)).toEqual([named])
})

test('a terminal is text: its command at once, what it printed when it has ended', () => {
  const content = [{ type: 'terminal', terminalId: 't' }]
  const text = (lines: string) => [
    { type: 'content', content: { type: 'text', text: `\`\`\`console\n${lines}\n\`\`\`` } },
  ]
  expect(
    updatesOf(
      {
        type: 'terminal.opened',
        data: { terminalId: 't', command: 'ls', args: ['-l'], cwd: '/' },
      },
      update({ sessionUpdate: 'tool_call', ...call, content }),
      {
        type: 'terminal.exited',
        data: { terminalId: 't', exitCode: 0, signal: null, output: 'a\n' },
      },
      update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', content }),
    ),
  ).toEqual([
    { sessionUpdate: 'tool_call', ...call, content: text('$ ls -l') },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: text('$ ls -l\na\n[exit code 0]'),
    },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      content: text('$ ls -l\na\n[exit code 0]'),
    },
  ])
})

test('an unknown update is passed on unchanged', () => {
  const odd = { sessionUpdate: '_vendor_thing', anything: [null, { deep: 1 }] }
  expect(updatesOf(update(odd))).toEqual([odd])
})

test('modes and options are as they were last set, by the agent or by people', () => {
  const view = new SessionView()
  const events: EventBody[] = [
    {
      type: 'agent.started',
      data: {
        acpSessionId: 'x',
        how: 'new',
        modes: { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] },
        models: { currentModelId: 'small', availableModels: [] },
      },
    },
    update({ sessionUpdate: 'current_mode_update', currentModeId: 'code' }),
    { type: 'option.set', data: { optionId: 'model', value: 'large' } },
  ]
  for (const [index, body] of events.entries())
    view.take({ sessionId: 's', seq: index + 1, at: 0, ...body })
  expect(view.setup).toMatchObject({
    modes: { currentModeId: 'code' },
    models: { currentModelId: 'large' },
  })
})
