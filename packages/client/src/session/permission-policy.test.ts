// Permissions answered by a policy.
import type { PermissionOption, ToolCallFields } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { policies, type PermissionPolicy } from './permission-policy.js'
import { ScriptedHub } from '../testing/scripted-hub.js'

const READ: ToolCallFields = { toolCallId: 'r', title: 'Read a file', kind: 'read' }
const RUN: ToolCallFields = { toolCallId: 'x', title: 'rm -rf build', kind: 'execute' }
/** Options as agents offer them: in any order, with their own names. */
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

type Case = {
  readonly name: string
  readonly onPermission: PermissionPolicy
  readonly call: ToolCallFields
}

test.each<Case & { readonly chosen: string }>([
  { name: 'allowAll', onPermission: policies.allowAll(), call: RUN, chosen: '2' },
  { name: 'rejectAll', onPermission: policies.rejectAll(), call: RUN, chosen: '3' },
  { name: 'allow', onPermission: policies.allow('search', 'read'), call: READ, chosen: '2' },
])('$name answers by the kind of an option, and only once', async (policy) => {
  await using client = hubThatAsks(policy.call).client({ onPermission: policy.onPermission })
  const session = await client.newSession({ repo: 'shop-api' })

  expect((await session.prompt('Go on')).text).toBe(policy.chosen)
})

test.each<Case & { readonly options?: readonly PermissionOption[] }>([
  { name: 'ask', onPermission: policies.ask(), call: READ },
  { name: 'allow of another kind', onPermission: policies.allow('read'), call: RUN },
  {
    name: 'allowAll without such an option',
    onPermission: policies.allowAll(),
    call: READ,
    options: OPTIONS.slice(0, 2),
  },
])('$name leaves it to a person', async ({ onPermission, call, options }) => {
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
    const isAnswer = input instanceof URL && input.pathname.includes('/permissions/')
    if (isAnswer && losses-- > 0) return Promise.reject(new TypeError('fetch failed'))
    return hub.fetch(input, init)
  }
  await using client = hub.client({ onPermission: policies.allowAll(), fetch })
  const session = await client.newSession({ repo: 'shop-api' })

  expect((await session.prompt('Go on')).text).toBe('2')
  expect(losses).toBeLessThan(1)
})
