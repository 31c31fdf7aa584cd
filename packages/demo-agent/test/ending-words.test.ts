// Words that end the process, or keep it from ending.
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startChild } from './agent-child.ts'
import { startAgent, textOf } from './agent-client.ts'

// Each needs its own child, so they start in parallel.
test.concurrent('crash sends a few chunks, says so on stderr and exits with 7', async () => {
  const { agent, ended } = await startChild()
  const session = await agent.newSession()
  const turn = session.startPrompt('crash')
  turn.catch(() => {})
  const { code, stderr } = await ended()
  expect(code).toBe(7)
  expect(stderr).toContain('crashing, as asked')
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('This will not ')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test.concurrent('crash tool leaves a tool call behind that never ends', async () => {
  const { agent, ended } = await startChild()
  const session = await agent.newSession()
  session.startPrompt('crash tool').catch(() => {})
  await ended()
  expect(agent.updatesOf(session.id).at(-1)).toMatchObject({
    sessionUpdate: 'tool_call',
    status: 'in_progress',
  })
})

test.concurrent('exit0 leaves in the middle of the turn with 0', async () => {
  const { agent, ended } = await startChild()
  const session = await agent.newSession()
  const turn = session.startPrompt('exit0')
  turn.catch(() => {})
  expect(await ended()).toEqual({ code: 0, stderr: '' })
  expect(textOf(agent.updatesOf(session.id), 'agent_message_chunk')).toBe('Leaving early.')
  await expect(turn).rejects.toThrow('The agent is gone')
})

test('hang does not answer a cancel, while other sessions go on', async () => {
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
  const [{ agent, process: child, ended }, polite] = await Promise.all([startChild(), startChild()])
  const session = await agent.newSession()
  session.startPrompt('stubborn').catch(() => {})
  await session.untilUpdate('agent_message_chunk')
  session.cancel()
  child.kill('SIGTERM')
  const other = await agent.newSession()
  expect((await other.prompt('echo still here')).text).toBe('still here')

  agent.endInput()
  child.kill('SIGTERM')
  await polite.agent[Symbol.asyncDispose]()
  // An agent that exits by itself has the same short time.
  expect(child.exitCode ?? child.signalCode).toBe(null)
  child.kill('SIGKILL')
  expect((await ended()).code).toBe(null)
  expect(agent.messages.some(({ result }) => isStop(result))).toBe(false)
})

test.concurrent('deaf closes its stdin behind its answer, and stays', async () => {
  const { agent, process: child, ended } = await startChild()
  const session = await agent.newSession()
  const { response, text } = await session.prompt('deaf')
  expect(response).toEqual({ stopReason: 'end_turn' })
  expect(text).toBe('This is the last I heard.')
  while (!agent.inputError) {
    agent.write('')
    await setImmediate()
  }
  expect(agent.inputError).toMatchObject({ code: expect.stringMatching(/^(EPIPE|ECONNRESET)$/) })
  expect(child.exitCode ?? child.signalCode).toBe(null)
  child.kill('SIGTERM')
  expect(await ended()).toEqual({ code: null, stderr: '' })
})

test.concurrent('orphan leaves a process in a session of its own', async () => {
  const { agent } = await startChild()
  const { text } = await (await agent.newSession()).prompt('orphan')
  const [, pid] = /^orphan (\d+)$/.exec(text) ?? []
  await agent[Symbol.asyncDispose]()
  // A group leader's pid is the id of its group; this throws when the group does not exist.
  process.kill(-Number(pid), 'SIGKILL')
})

test.concurrent('heir is killed, and its child answers the prompt', async () => {
  const { agent, ended } = await startChild()
  const { response } = await (await agent.newSession()).prompt('heir')
  expect(response).toEqual({ stopReason: 'cancelled' })
  expect((await ended()).code).toBe(null)
})

function isStop(result: unknown): boolean {
  return JSON.stringify(result)?.includes('"stopReason":"cancelled"') ?? false
}
