// Words that end the process, or keep it from ending.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startAgent, textOf } from './agent-child.ts'

// Every test needs a child of its own, so they start side by side.
test.concurrent('crash sends a few chunks, says so on stderr and exits with 7', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('crash')
  turn.catch(() => {})
  const { code, stderr } = await agent.exited
  expect(code).toBe(7)
  expect(stderr).toContain('crashing, as asked')
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('This will not ')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test.concurrent('crash tool leaves a tool call behind that never ends', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  session.startPrompt('crash tool').catch(() => {})
  await agent.exited
  expect(agent.updatesOf(session.id).at(-1)).toMatchObject({
    sessionUpdate: 'tool_call',
    status: 'in_progress',
  })
})

test.concurrent('exit0 leaves in the middle of the turn with 0', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  const turn = session.startPrompt('exit0')
  turn.catch(() => {})
  expect(await agent.exited).toEqual({ code: 0, stderr: '' })
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('Leaving early.')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test.concurrent('hang does not answer a cancel, while other sessions go on', async () => {
  await using agent = await startAgent()
  const [session, other] = [await agent.newSession(), await agent.newSession()]
  let isAnswered = false
  const turn = session.startPrompt('hang').finally(() => (isAnswered = true))
  turn.catch(() => {})
  session.cancel()
  expect((await other.prompt('echo alive')).text).toBe('alive')
  await setImmediate()
  expect(isAnswered).toBe(false)
})

test.concurrent('stubborn ignores a cancel, SIGTERM and the end of stdin', async () => {
  const [agent, polite] = await Promise.all([startAgent(), startAgent()])
  const session = await agent.newSession()
  session.startPrompt('stubborn').catch(() => {})
  await session.untilUpdate('agent_message_chunk')
  session.cancel()
  agent.kill('SIGTERM')
  const other = await agent.newSession()
  expect((await other.prompt('echo still here')).text).toBe('still here')

  agent.endInput()
  agent.kill('SIGTERM')
  await polite[Symbol.asyncDispose]()
  // The polite one had as little time to leave.
  expect(agent.isAlive).toBe(true)
  agent.kill('SIGKILL')
  expect((await agent.exited).code).toBe(null)
  expect(agent.messages.some(({ result }) => isStop(result))).toBe(false)
})

test.concurrent('deaf closes its stdin behind its answer, and stays', async () => {
  const agent = await startAgent()
  const session = await agent.newSession()
  const { response, text } = await session.prompt('deaf')
  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(text).toBe('This is the last I heard.')
  while (!agent.inputError) {
    agent.write('')
    await setImmediate()
  }
  expect(agent.inputError).toMatchObject({ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) })
  expect(agent.isAlive).toBe(true)
  agent.kill('SIGTERM')
  expect(await agent.exited).toEqual({ code: null, stderr: '' })
})

test.concurrent('orphan leaves a process in a session of its own', async () => {
  const agent = await startAgent()
  const { text } = await (await agent.newSession()).prompt('orphan')
  const [, pid] = /^orphan (\d+)$/.exec(text) ?? []
  await agent[Symbol.asyncDispose]()
  // The leader of a group has the number of its group; this throws when there is none.
  process.kill(-Number(pid), 'SIGKILL')
})

function isStop(result: unknown): boolean {
  return JSON.stringify(result)?.includes('"stopReason":"cancelled"') ?? false
}
