// Commands by their addresses, typed by the hub's table.
import { expect, test } from 'vitest'
import { ScriptedHub } from './testing/index.js'

test('the names of an address go into the path, the rest into the query', async () => {
  const hub = new ScriptedHub()
  hub.commands['GET /api/repos/{repoId}/files'] = ({ repoId, q }) => ({
    files: [`${repoId}: ${q}`],
    total: 1,
  })
  const input = { repoId: 'a/b', q: 'x y', limit: undefined }

  const { files } = await hub.client().http.call('GET /api/repos/{repoId}/files', input)

  expect(files).toEqual(['a/b: x y'])
  expect(hub.requests.at(-1)).toMatchObject({ path: '/api/repos/a%2Fb/files?q=x+y' })
})

test('the rest of a change is its body', async () => {
  const hub = new ScriptedHub()
  const { id: sessionId } = hub.addSession()
  const { http } = hub.client()

  const { title } = await http.call('PATCH /api/sessions/{sessionId}', { sessionId, title: 'New' })

  expect(title).toBe('New')
  expect(hub.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { title: 'New' } })
})

test('an address or an input that the table does not have does not compile', async () => {
  const { http } = new ScriptedHub().client()

  // @ts-expect-error There is no such command.
  await expect(http.call('GET /api/nothing', {})).rejects.toMatchObject({ code: 'not_found' })
  // @ts-expect-error A prompt needs a session.
  await expect(http.call('POST /api/sessions/{sessionId}/prompt', {})).rejects.toThrow()
})
