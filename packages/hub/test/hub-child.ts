// The hub as people run it: a child process of the built `quayside` command.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

export type HubChild = {
  readonly process: ChildProcess
  /** The printed address, with its one-time code. */
  readonly signInAddress: string
  readonly address: string
  readonly output: () => string
  /** Resolves when so many lines of the log match. */
  untilLogged(count: number, matches: (line: LogLine) => boolean): Promise<void>
  /** Sends the signal and resolves with how the process ended. */
  stop(signal: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>
}

export type LogLine = Readonly<Record<string, unknown>>

export async function startHubChild(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<HubChild> {
  const child = runQuayside(['start', '--port', '0', ...args], env)
  const signInAddress = await new Promise<string>((resolve, reject) => {
    child.process.stdout.on('data', () => {
      const found = /http:\/\/\S+#code=\S+/.exec(child.output())
      if (found) resolve(found[0])
    })
    child.process.once('exit', () => reject(new Error(`the hub did not start: ${child.output()}`)))
  })
  return {
    ...child,
    signInAddress,
    address: new URL(signInAddress).origin,
    untilLogged: (count, matches) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (logLines(child.output()).filter(matches).length < count) return
          child.process.stderr.off('data', look)
          resolve()
        }
        child.process.stderr.on('data', look)
        look()
      }),
    async stop(signal) {
      const ended = once(child.process, 'exit') as Promise<[number | null, string | null]>
      child.process.kill(signal)
      const [code, by] = await ended
      return { code, signal: by }
    },
  }
}

function logLines(output: string): LogLine[] {
  const lines = output.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  return lines.map((line) => JSON.parse(line) as LogLine)
}

/** Runs a command to its end. */
export async function quayside(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const child = runQuayside(args, env)
  const [code] = (await once(child.process, 'close')) as [number | null]
  return { code, output: child.output() }
}

function runQuayside(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { process: child, output: () => output }
}
