import type { PermissionOption, ToolCallFields } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { policies, type PermissionPolicy } from './permission-policy.js'
import { ScriptedHub } from './testing/scripted-hub.js'

const READ: ToolCallFields = { toolCallId: 'r', title: 'Read a file', kind: 'read' }
const RUN: ToolCallFields = { toolCallId: 'x', title: 'rm -rf build', kind: 'execute' }
/** As agents offer them: in any order, under names of their own. */
const OPTIONS: readonly PermissionOption[] = [
  { optionId: '3', name: 'No', kind: 'reject_once' },
  { optionId: '1', name: 'Always', kind: 'allow_always' },
  { optionId: '2', name: 'Once', kind: 'allow_once' },
]

function hubThatAsks(toolCall: ToolCallFields, options = OPTIONS): ScriptedHub {
  const hub = new ScriptedHub()
  hub.agent = async (turn) => {
    const outcome = await turn.ask(toolCall, options)
    turn.say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome)
  }
  return hub
}

test.each<[string, PermissionPolicy, ToolCallFields, string]>([
  ['allowAll', policies.allowAll(), RUN, '2'],
  ['rejectAll', policies.rejectAll(), RUN, '3'],
  ['allow of this kind', policies.allow('search', 'read'), READ, '2'],
])('%s answers by the kind of an option, and only once', async (_, onPermission, call, chosen) => {
  await using client = hubThatAsks(call).client({ onPermission })
  const session = await client.newSession({ repo: 'shop-api' })

  expect((await session.prompt('Go on')).text).toBe(chosen)
})

test.each<[string, PermissionPolicy, ToolCallFields, readonly PermissionOption[]]>([
  ['ask', policies.ask(), READ, OPTIONS],
  ['allow of another kind', policies.allow('read'), RUN, OPTIONS],
  ['allowAll without such an option', policies.allowAll(), READ, OPTIONS.slice(0, 2)],
])('%s leaves it to a person', async (_, onPermission, call, options) => {
  await using client = hubThatAsks(call, options).client({ onPermission })
  const session = await client.newSession({ repo: 'shop-api' })
  const turn = session.prompt('Go on')
  for await (const event of turn)
    if (event.type === 'permission_request')
      await session.respond(event.permissionId, { kind: 'reject_once' })

  expect((await turn).text).toBe('3')
})

test('what waits already as a session is opened is put to the policy too, each permission once', async () => {
  const hub = hubThatAsks(RUN)
  await using first = hub.client()
  const session = await first.newSession({ repo: 'shop-api' })
  const turn = session.prompt('Go on')
  for await (const event of turn) if (event.type === 'permission_request') break

  const seen: string[] = []
  await using second = hub.client({
    onPermission: async ({ sessionId, toolCall, pick }) => {
      seen.push(`${sessionId}: ${toolCall.title}`)
      return pick('allow_always') ?? 'defer'
    },
  })
  await second.openSession(session.id, { after: 0 })
  expect((await turn).text).toBe('1')
  expect(seen).toEqual([`${session.id}: rm -rf build`])
})

test('an answer that a lost connection swallowed is given again', async () => {
  const hub = hubThatAsks(RUN)
  let losses = 1
  const fetch: typeof globalThis.fetch = (input, init) => {
    const isAnswer = String(input).includes('/permissions/')
    if (isAnswer && losses-- > 0) return Promise.reject(new TypeError('fetch failed'))
    return hub.fetch(input, init)
  }
  await using client = hub.client({ onPermission: policies.allowAll(), fetch })
  const session = await client.newSession({ repo: 'shop-api' })

  expect((await session.prompt('Go on')).text).toBe('2')
  expect(losses).toBeLessThan(1)
})
