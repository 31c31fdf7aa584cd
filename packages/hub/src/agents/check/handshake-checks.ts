// Checks the agent's answer to `initialize`, and that advertised methods exist.
import { HubError, messageOfError } from '../../errors.js'
import { initializeFaults, newSessionFaults } from '../connection/answer-faults.js'
import { isObject } from '../../json.js'
import { type Check, fail, type Finding, pass, skip } from './check.js'
import { type CheckRun, resultOf } from './check-run.js'
import type { WatchedAgent } from './check-session.js'

const METHOD_NOT_FOUND = -32_601
const UNKNOWN_METHOD = 'quayside/no_such_method'

export const HANDSHAKE_CHECKS: readonly Check[] = [
  {
    id: 'initialize',
    title: 'initialize answers in the shape and version of the protocol',
    run: initialize,
  },
  {
    id: 'new-session',
    title: 'session/new answers with an id, and modes and options that agree',
    run: newSession,
  },
  {
    id: 'capabilities',
    title: 'the advertised session methods (list, close) exist',
    run: capabilities,
  },
  {
    id: 'unknown-method',
    title: 'a method that does not exist answers -32601',
    run: unknownMethod,
  },
]

async function initialize(run: CheckRun): Promise<Finding> {
  const answer = resultOf(await run.agent(), 'initialize')
  const faults = initializeFaults(answer)
  if (faults.length > 0) return fail(faults.join('; '))
  const { name, version } = isObject(answer['agentInfo']) ? answer['agentInfo'] : {}
  const who = typeof name === 'string' ? `${name} ${String(version)}` : 'no agentInfo'
  return pass(`protocol ${String(answer['protocolVersion'])}, ${who}`)
}

async function newSession(run: CheckRun): Promise<Finding> {
  const { agent, acpSessionId } = await run.openSession()
  const faults = newSessionFaults(resultOf(agent, 'session/new'))
  const other = await run.openSession(agent)
  if (other.acpSessionId === acpSessionId) faults.push('gave two sessions the same id')
  faults.push(...run.rejections)
  return faults.length > 0 ? fail(faults.join('; ')) : pass('two sessions, two ids')
}

/** Loading and resuming have checks of their own. */
async function capabilities(run: CheckRun): Promise<Finding> {
  const agent = await run.agent()
  const { sessionCapabilities } = agent.process.description.capabilities
  const offers = (name: string): boolean =>
    isObject(sessionCapabilities) && isObject(sessionCapabilities[name])
  const faults: string[] = []
  const seen: string[] = []
  if (offers('list')) {
    const problem = await problemOf(agent, 'session/list', { cwd: run.folder })
    const hasList = Array.isArray(resultOf(agent, 'session/list')['sessions'])
    if (problem !== undefined || !hasList) faults.push(`list: ${problem ?? 'no list of sessions'}`)
    else seen.push('list')
  }
  if (offers('close')) {
    const { acpSessionId } = await run.openSession(agent)
    const problem = await problemOf(agent, 'session/close', { sessionId: acpSessionId })
    if (problem === undefined) seen.push('close')
    else faults.push(`close: ${problem}`)
  }
  if (faults.length > 0) return fail(faults.join('; '))
  return seen.length === 0 ? skip('neither is advertised') : pass(`${seen.join(' and ')} answered`)
}

async function unknownMethod(run: CheckRun): Promise<Finding> {
  const agent = await run.agent()
  try {
    await agent.process.request(UNKNOWN_METHOD, {})
    return fail('answered a method that does not exist with a result')
  } catch (error) {
    const code = acpCodeOf(error)
    if (code === METHOD_NOT_FOUND) return pass('answered -32601')
    return fail(code === undefined ? messageOfError(error) : `answered ${code}`)
  }
}

async function problemOf(
  { process }: WatchedAgent,
  method: string,
  params: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    await process.request(method, params)
    return undefined
  } catch (error) {
    return acpCodeOf(error) === METHOD_NOT_FOUND ? 'answered -32601' : messageOfError(error)
  }
}

function acpCodeOf(error: unknown): number | undefined {
  const acp = error instanceof HubError ? error.details['acp'] : undefined
  const code = isObject(acp) ? acp['code'] : undefined
  return typeof code === 'number' ? code : undefined
}
