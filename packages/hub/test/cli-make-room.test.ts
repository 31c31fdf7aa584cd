// Commands that start an agent at the limit of active sessions.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CliFolder } from './cli-folder.js'

let folder: CliFolder
beforeAll(async () => {
  folder = new CliFolder()
  await folder.startHub({ env: { AGENT_MAX_SESSIONS: '1' } })
  await folder.run(['run', 'echo first'])
})
afterAll(() => folder[Symbol.asyncDispose]())

const LIMIT = 'There are 1 active sessions, which is the limit.'

test('a script learns about --make-room, which puts the idle session to sleep', async () => {
  const refused = await folder.run(['run', 'echo second'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--make-room') })
  const made = await folder.run(['run', 'echo second', '--make-room'])
  expect(made).toMatchObject({ code: 0, stdout: 'second\n' })
})

test('a person is asked, and may decline', async () => {
  const declined = folder.start(['run', 'echo third'], { isTerminal: true })
  await declined.until(`${LIMIT}\nPut the longest idle session to sleep and start? [Y/n] `)
  declined.type('n\n')
  expect(await declined.ended).toMatchObject({ code: 4, stdout: '' })
  const agreed = folder.start(['run', 'echo third'], { isTerminal: true })
  await agreed.until('[Y/n] ')
  agreed.type('\n')
  expect(await agreed.ended).toMatchObject({ code: 0, stdout: 'third\n' })
})

test('a session that sleeps is resumed in place of the idle one', async () => {
  const { stdout } = await folder.run(['sessions', '--json'])
  const ids = (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions.map(({ id }) => id)
  const refused = await folder.run(['run', 'recall', '--session', ids.at(-1)!])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--make-room') })
  const resumed = await folder.run(['run', 'recall', '--session', ids.at(-1)!, '--make-room'])
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('echo first') })
})

test('a prompt to a session that sleeps, and a fork, can take the place of the idle one', async () => {
  const { stdout } = await folder.run(['sessions', '--state', 'completed', '--json'])
  const [asleep] = (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions
  const refused = await folder.run(['send', asleep!.id, 'echo fourth'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--make-room') })
  const sent = await folder.run(['send', asleep!.id, 'echo fourth', '--make-room'])
  expect(sent).toMatchObject({ code: 0, stderr: 'Sent.\n' })
  await folder.run(['attach', asleep!.id])
  expect(await folder.run(['fork', asleep!.id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--make-room'),
  })
  expect(await folder.run(['fork', asleep!.id, '--make-room'])).toMatchObject({ code: 0 })
})

test('a person who writes to a session that sleeps learns about --make-room', async () => {
  const { stdout } = await folder.run(['sessions', '--state', 'completed', '--json'])
  const [asleep] = (JSON.parse(stdout) as { sessions: { id: string }[] }).sessions
  const attached = folder.start(['attach', asleep!.id], { isTerminal: true })
  await attached.until('type to prompt')
  attached.type('echo fifth\n')
  await attached.until('Use --make-room')
  attached.signal('SIGINT')
  await attached.ended
})
