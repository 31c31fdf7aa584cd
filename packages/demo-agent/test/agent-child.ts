// The built agent as a real child, for tests whose subject is its process.
import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { AgentClient } from './agent-client.ts'
import type { StartOptions } from './agent-client.ts'

export const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

export interface AgentChild {
  readonly agent: AgentClient
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves with the exit of the process, after all its output is read. */
  readonly ended: () => Promise<{ code: number | null; stderr: string }>
}

/** Starts an agent without pauses and initializes it. */
export async function startChild({ env, capabilities }: StartOptions = {}): Promise<AgentChild> {
  const child = spawnChild(env)
  await child.agent.initialize(capabilities)
  return child
}

export function spawnChild(env: StartOptions['env'] = {}): AgentChild {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'], QUAYSIDE_DEMO_PACE: '0', ...env },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const agent = new AgentClient(child, once(child, 'close'))
  const ended = async () => {
    await agent.inTime(agent.gone, 'the end of the process')
    return { code: child.exitCode, stderr }
  }
  return { agent, process: child, ended }
}
