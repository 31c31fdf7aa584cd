// Asks the Tailscale of this machine: whether it is connected, its name there, and the port that HTTPS requests go to.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

type Environment = Readonly<Record<string, string | undefined>>

export type Tailscale =
  | { readonly is: 'missing' }
  | { readonly is: 'off' }
  /** `servedPorts` are those of this machine that https:// on its name leads to. */
  | { readonly is: 'on'; readonly hostname: string; readonly servedPorts: readonly number[] }

const run = promisify(execFile)
const READ_MS = 5_000
/** Tailscale may request a certificate from the network. */
const SERVE_MS = 30_000

const statusSchema = z.object({
  BackendState: z.string(),
  Self: z.object({ DNSName: z.string() }).nullish(),
})
const serveSchema = z.object({
  Web: z
    .record(
      z.string(),
      z.object({ Handlers: z.record(z.string(), z.object({ Proxy: z.string().nullish() })) }),
    )
    .nullish(),
})

export async function readTailscale(env: Environment): Promise<Tailscale> {
  try {
    const status = statusSchema.parse(await readJson(['status', '--json'], env))
    const hostname = status.Self?.DNSName.replace(/\.$/, '')
    if (status.BackendState !== 'Running' || !hostname) return { is: 'off' }
    const { Web } = serveSchema.parse(await readJson(['serve', 'status', '--json'], env))
    const proxy = Web?.[`${hostname}:443`]?.Handlers['/']?.Proxy ?? ''
    const port = /^https?(?:\+insecure)?:\/\/(?:127\.0\.0\.1|localhost):(\d+)\/?$/.exec(proxy)?.[1]
    return { is: 'on', hostname, servedPorts: port === undefined ? [] : [Number(port)] }
  } catch (error) {
    return { is: isMissing(error) ? 'missing' : 'off' }
  }
}

/** Forwards https:// on this machine's name to the hub until it is switched off. Rejects with the output of Tailscale. */
export async function serveByTailscale(address: string, env: Environment): Promise<void> {
  const { protocol, port } = new URL(address)
  const target = protocol === 'https:' ? `https+insecure://127.0.0.1:${port}` : port
  await call(['serve', '--bg', target], env)
}

export async function stopServing(env: Environment): Promise<void> {
  await call(['serve', '--https=443', 'off'], env)
}

async function call(args: readonly string[], env: Environment): Promise<void> {
  try {
    await run('tailscale', args, { env, timeout: SERVE_MS })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const printed = `${stdout}${stderr}`.trim()
    throw new Error(`tailscale ${args.join(' ')} failed. ${printed || 'It printed no reason.'}`, {
      cause: error,
    })
  }
}

/** `serve status` prints nothing or `{}` when nothing is served. */
async function readJson(args: readonly string[], env: Environment): Promise<unknown> {
  const { stdout } = await run('tailscale', args, { env, timeout: READ_MS })
  return JSON.parse(stdout.trim() || '{}')
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}
