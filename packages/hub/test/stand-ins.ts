// Small programs on the PATH that answer as the real tailscale and cloudflared do.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const TAILNET_NAME = 'studio.tail1234.ts.net'
export const TUNNEL_NAME = 'calm-river-demo.trycloudflare.com'

/** A PATH whose first folder has the named programs. */
export function pathWith(folder: string, ...names: readonly (keyof typeof PROGRAMS)[]): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of names) {
    const file = join(bin, name)
    writeFileSync(file, `#!${process.execPath}\n${PROGRAMS[name]}`)
    chmodSync(file, 0o755)
  }
  return `${bin}:${process.env['PATH']}`
}

/** `tailscale serve` keeps its state, like the real one. */
const TAILSCALE = `
const { existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const state = __filename + '.json'
const call = process.argv.slice(2).join(' ')
const target = /^serve --bg (.+)$/.exec(call)?.[1]
if (call === 'status --json')
  console.log(JSON.stringify({ BackendState: 'Running', Self: { DNSName: '${TAILNET_NAME}.' } }))
else if (call === 'serve status --json')
  console.log(existsSync(state) ? readFileSync(state, 'utf8') : '{}')
else if (call === 'serve --https=443 off') rmSync(state)
else if (target) {
  const Proxy = /^\\d+$/.test(target) ? 'http://127.0.0.1:' + target : target
  const Web = { '${TAILNET_NAME}:443': { Handlers: { '/': { Proxy } } } }
  writeFileSync(state, JSON.stringify({ TCP: { 443: { HTTPS: true } }, Web }))
} else process.exit(2)
`

/** Prints its address among log lines on stderr, and runs until it is stopped. */
const CLOUDFLARED = `
console.error('2026-11-17T23:00:00Z INF Thank you for trying Cloudflare Tunnel.')
console.error('2026-11-17T23:00:01Z INF |  https://${TUNNEL_NAME}  |')
setInterval(() => {}, 1000)
`

const PROGRAMS = { tailscale: TAILSCALE, cloudflared: CLOUDFLARED }
