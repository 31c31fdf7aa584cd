// Commands by their names, typed by the hub's table.
import { expect, test } from 'vitest'
import { commandsOf } from './commands.js'
import { ScriptedHub } from './testing/index.js'

test('the names in an address go into the path, the rest of a read into the query', async () => {
  const hub = new ScriptedHub()
  hub.commands['repo/files'] = ({ repoId, q }) => ({ files: [`${repoId}: ${q}`], total: 1 })
  const call = commandsOf(hub.client())

  const { files } = await call('repo/files', { repoId: 'a/b', q: 'x y', limit: undefined })

  expect(files).toEqual(['a/b: x y'])
  expect(hub.requests.at(-1)).toMatchObject({ path: '/api/repos/a%2Fb/files?q=x+y' })
})

test('the rest of a change is its body', async () => {
  const hub = new ScriptedHub()
  const { id: sessionId } = hub.addSession()
  const call = commandsOf(hub.client())

  const { title } = await call('session/change', { sessionId, title: 'New' })

  expect(title).toBe('New')
  expect(hub.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { title: 'New' } })
})

test('a name or an input that the table does not have does not compile', async () => {
  const hub = new ScriptedHub()
  const call = commandsOf(hub.client())

  // @ts-expect-error There is no such command.
  expect(() => call('session/nothing', {})).toThrow()
  // @ts-expect-error A prompt needs a session.
  await expect(call('session/prompt', {})).rejects.toMatchObject({ code: 'not_found' })
  // @ts-expect-error A transcript is a file, not JSON.
  await expect(call('session/transcript', { sessionId: 's' })).rejects.toThrow()
})

test('a call is given up when its signal aborts', async () => {
  const call = commandsOf(new ScriptedHub().client())
  const given = call('repo/list', {}, { signal: AbortSignal.abort() })
  await expect(given).rejects.toMatchObject({ code: 'aborted' })
})
