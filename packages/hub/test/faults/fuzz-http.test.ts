// Hostile HTTP requests (300 in `npm test`, 10,000 in `npm run test:torture`): each is answered or closed in time, none is answered with an
// undocumented error of the hub, no answer holds a secret, and a session beside loses nothing.
import type { ErrorBody } from '@quayside/protocol'
import { errorsOf } from '@quayside/protocol/schemas'
import { expect, test } from 'vitest'
import { random } from '../random.js'
import { HttpFuzz, type RawRequest } from './http-fuzz.js'
import { exchange, type RawAnswer } from './raw-http.js'
import { figure, isTorture } from './figure.js'
import { addVictim, knownValues } from './known-values.js'
import { type AttackPlan, Siege } from './siege.js'

const REQUESTS = isTorture ? 10_000 : 300
/** Starting an agent takes the longest, on a busy machine. */
const LIMIT_MS = 30_000
/** The fuzz ends and removes sessions. */
const REQUESTS_PER_VICTIM = 100
const SHOWN_CHARACTERS = 400

test(
  `${REQUESTS} hostile requests are answered or closed, and harm nobody`,
  { timeout: 500_000 },
  async ({ task }) => {
    await using siege = await Siege.open()
    const statuses = await attack(siege, { count: REQUESTS, limitMs: LIMIT_MS })
    expect(await siege.end()).toEqual([])
    // The fuzz reaches the commands: a part of it succeeds, and most kinds of refusals occur.
    for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 409, 415, 422])
      if (isTorture) expect(statuses).toContain(status)
    figure(task, { what: 'hostile HTTP requests', count: REQUESTS })
  },
)

test.runIf(isTorture).for([
  ['fails at wrong input', 'fails-at-wrong-input', 'answers 500'],
  ['reads files anywhere', 'reads-anywhere', 'an answer contains'],
] as const)('a hub that %s is found out', { timeout: 120_000 }, async ([, mutant, found]) => {
  await using siege = await Siege.open({ mutant })
  const isOver = () => siege.isGone || siege.failures.some((failure) => failure.includes(found))
  await attack(siege, { count: 10_000, limitMs: 5_000, isOver })
  expect(siege.failures.join('\n')).toContain(found)
})

/** Returns the statuses that were seen. */
async function attack(siege: Siege, plan: AttackPlan & { limitMs: number }): Promise<Set<number>> {
  const known = await knownValues(siege)
  const fuzz = new HttpFuzz(random(), known)
  const statuses = new Set<number>()
  let sent = 0
  await siege.endure(plan, async () => {
    sent += 1
    if (sent % REQUESTS_PER_VICTIM === 0) await addVictim(siege, known)
    const request = fuzz.next()
    const answer = await exchange({ ...request, port: siege.port, limitMs: plan.limitMs })
    if (answer.status !== undefined) statuses.add(answer.status)
    judge(siege, request, answer)
  })
  return statuses
}

function judge(
  siege: Siege,
  { bytes, route }: RawRequest,
  { status, text, isLate }: RawAnswer,
): void {
  const about = () =>
    `${bytes.toString('latin1').slice(0, SHOWN_CHARACTERS)} → ${text.slice(-SHOWN_CHARACTERS)}`
  if (isLate) siege.failures.push(`no answer in time: ${about()}`)
  if (route && status === undefined) siege.failures.push(`closed without an answer: ${about()}`)
  siege.inspect(text, about)
  if (status === undefined || status < 500) return
  const code = codeOf(text)
  const documented: readonly string[] = route ? errorsOf(route) : []
  if (code === 'internal' || !documented.includes(code))
    siege.failures.push(`answers ${status} ${code}: ${about()}`)
}

function codeOf(text: string): string {
  const body = /\{.*\}/s.exec(text)?.[0]
  return body === undefined ? '' : ((JSON.parse(body) as Partial<ErrorBody>).error?.code ?? '')
}
