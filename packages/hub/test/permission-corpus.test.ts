// The rules of a session, judged on a corpus of tool calls.
import { readToolCall } from '@quayside/protocol'
import { describe, expect, test } from 'vitest'
import { isSensitivePath } from '../src/repos/files/sensitive-paths.js'
import { PermissionRules } from '../src/sessions/decisions/permission-rules.js'
import { TurnCalls } from '../src/sessions/live/turn-calls.js'
import { CALLS } from './permission-corpus/calls.js'
import { COMMANDS } from './permission-corpus/commands.js'
import { type CorpusCall, type CorpusGroup, ROOT } from './permission-corpus/corpus-group.js'

const CORPUS = [...CALLS, ...COMMANDS]

const OPTIONS = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'deny', name: 'Reject', kind: 'reject_once' },
]

const DECISIONS = ['allow', 'ask', 'deny'] as const

describe.each(CORPUS)('$about', ({ permissions, ...group }) => {
  const cases = DECISIONS.flatMap((decision) =>
    (group[decision] ?? []).map((call) => ({ decision, call })),
  )
  test.each(cases)('$decision: $call', ({ decision, call }) => {
    expect(decide(permissions, call)).toBe(decision)
  })
})

test('the corpus has at least two hundred calls, and about half of them are legal', () => {
  const count = (decision: (typeof DECISIONS)[number]) =>
    CORPUS.reduce((sum, group) => sum + (group[decision]?.length ?? 0), 0)
  const [legal, held] = [count('allow'), count('ask') + count('deny')]
  expect(legal).toBeGreaterThanOrEqual(100)
  expect(held).toBeGreaterThanOrEqual(100)
})

/** As an agent sends it: the call first, then a permission request with nothing but its id. */
function decide(permissions: CorpusGroup['permissions'], call: CorpusCall): string {
  const isSensitive = (path: string) => isSensitivePath(path, ['.claude'])
  const policy = new PermissionRules({ mode: 'ask', rules: [], ...permissions }, ROOT, isSensitive)
  const calls = new TurnCalls()
  const input =
    typeof call === 'string' ? { kind: 'execute', title: call, rawInput: { command: call } } : call
  calls.merge(readToolCall({ toolCallId: 't', ...input })!)
  const outcome = policy.decide(calls.merge({ toolCallId: 't' }), OPTIONS)?.outcome
  return outcome?.outcome === 'selected' ? outcome.optionId : 'ask'
}
