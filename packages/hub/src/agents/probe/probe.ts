// Probes an agent: starts it, opens a session in an empty folder, stops it, and reports the result.
import type { Probe } from '@quayside/protocol/schemas'
import { HubError, messageOfError } from '../../errors.js'
import { abilitiesOf, signInMethodsOf } from './agent-abilities.js'
import type { AgentRuntime } from '../agent-runtime.js'
import type { AgentProcess } from '../connection/agent-process.js'
import type { AcpSession, AuthStatus } from '../connection/read-agent-messages.js'
import { initializeFaults, newSessionFaults } from '../connection/answer-faults.js'
import type { InstalledExtension } from '../extensions/extensions.js'
import type { AgentEnding } from '../../process/agent-child.js'
import { TempFolder } from '../../temp-folders.js'
import { isObject, type JsonObject } from '../../json.js'
import { WireRecording } from '../wire/log/wire-recording.js'

/** Grace periods for a probe. Real agents need up to 2.5 s to exit, and their children up to 4 s. */
export const LENIENT_GRACE = { closeGraceMs: 5_000, lingerMs: 5_000 }

/** Never throws: an agent that does not work is a result. Leaves nothing behind. */
export async function probeAgent(
  runtime: AgentRuntime,
  extension: InstalledExtension,
  onStart: (agent: AgentProcess) => void = () => {},
): Promise<Probe> {
  const folder = new TempFolder('probe')
  const recording = new WireRecording()
  const watch = { tap: recording.tap, child: LENIENT_GRACE }
  try {
    const launch = runtime.launchOf(extension, folder.path)
    await runtime.downloads.settle(extension, runtime.owner.own(launch))
    const startedAt = performance.now()
    const agent = await runtime.startWatched(extension, folder.path, watch)
    onStart(agent)
    const initializeMs = Math.round(performance.now() - startedAt)
    const opened = await tryNewSession(agent, folder.path)
    // Some agents open a session for anyone, and report at some time before their end that nobody is signed in.
    await agent.stop()
    return {
      ...describe(extension),
      command: launch.command,
      ...introduction(agent, recording),
      initializeMs,
      ...opened,
      ...(opened.state === 'ready' && agent.signedOut ? signedOut(agent.signedOut) : {}),
      problems: [...wireFaults(recording), ...endingFaults(await agent.ending)],
    }
  } catch (error) {
    return { ...describe(extension), ...failed(error), problems: wireFaults(recording) }
  } finally {
    folder.remove()
  }
}

type Found = Omit<Probe, 'state' | 'problems'>

function describe({ manifest: { id, name, install } }: InstalledExtension): Found {
  return {
    extensionId: id,
    name,
    probedAt: new Date().toISOString(),
    ...(install === undefined ? {} : { install }),
    signInMethods: [],
    abilities: [],
    capabilities: {},
  }
}

/** The reason why no session was opened. */
function failed(error: unknown): Pick<Probe, 'state' | 'problem' | 'command'> {
  const problem = messageOfError(error)
  if (!(error instanceof HubError)) return { state: 'broken', problem }
  if (error.code === 'agent_timeout') {
    const { method, timeoutMs } = error.details
    const seconds = Number(timeoutMs) / 1_000
    return { state: 'broken', problem: `It did not answer ${String(method)} within ${seconds} s.` }
  }
  if (error.code === 'agent_auth_required') return { state: 'needs_sign_in', problem }
  if (error.code !== 'agent_not_installed') return { state: 'broken', problem }
  const { path } = error.details
  return { state: 'not_installed', problem, ...(typeof path === 'string' ? { command: path } : {}) }
}

function signedOut({ label }: AuthStatus): Pick<Probe, 'state' | 'problem'> {
  const reason = label ?? 'it reports that nobody is signed in'
  return { state: 'needs_sign_in', problem: `Sign in to the agent first: ${reason}.` }
}

function introduction(agent: AgentProcess, recording: WireRecording): Partial<Found> {
  const { agentInfo, capabilities, authMethods } = agent.description
  const { protocolVersion, _meta } = resultOf(recording, 'initialize')
  // Grok 1.0 sends no agentInfo, but reports its version here.
  const version = agentInfo?.['version'] ?? (isObject(_meta) ? _meta['agentVersion'] : undefined)
  return {
    ...(typeof version === 'string' ? { version } : {}),
    ...(agentInfo ? { agentInfo } : {}),
    ...(typeof protocolVersion === 'number' ? { protocolVersion } : {}),
    signInMethods: signInMethodsOf(authMethods),
    abilities: abilitiesOf(capabilities),
    capabilities,
  }
}

async function tryNewSession(
  agent: AgentProcess,
  cwd: string,
): Promise<Pick<Probe, 'state'> & Partial<Found>> {
  const askedAt = performance.now()
  let session: AcpSession
  try {
    session = await agent.newSession({ cwd, mcpServers: [] })
  } catch (error) {
    return failed(error)
  }
  const newSessionMs = Math.round(performance.now() - askedAt)
  await forget(agent, session)
  const { acpSessionId: _, ...choices } = session
  return { state: 'ready', newSessionMs, ...choices }
}

/** Deletes the probe's session, so that it does not appear in the person's own list. */
async function forget(agent: AgentProcess, { acpSessionId }: AcpSession): Promise<void> {
  const { sessionCapabilities } = agent.description.capabilities
  if (!isObject(sessionCapabilities) || !isObject(sessionCapabilities['delete'])) return
  // A failure is not part of the probe's result.
  await agent.request('session/delete', { sessionId: acpSessionId }).catch(() => {})
}

function wireFaults(recording: WireRecording): string[] {
  const { junkLines, junk } = recording
  const initialized = resultOf(recording, 'initialize')
  const opened = resultOf(recording, 'session/new')
  return [
    ...(Object.keys(initialized).length === 0 ? [] : initializeFaults(initialized)),
    ...(Object.keys(opened).length === 0 ? [] : newSessionFaults(opened)),
    ...(junkLines === 0
      ? []
      : [
          `wrote output to stdout that is not JSON-RPC (lines: ${junkLines}), such as: ${junk[0] ?? ''}`,
        ]),
  ]
}

function endingFaults({ signalled, left }: AgentEnding): string[] {
  return [
    ...(signalled === undefined
      ? []
      : [`did not exit within 5 s after its stdin was closed; the hub had to send ${signalled}`]),
    ...(left.length === 0 ? [] : [`left processes running: ${left.join(', ')}`]),
  ]
}

function resultOf(recording: WireRecording, method: string): JsonObject {
  const result = recording.findAnswer(method)?.message['result']
  return isObject(result) ? result : {}
}
