// The TCP ports of this machine that given processes listen on. Linux only: /proc has the sockets and their owners.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { findOwned } from '../process/process-tree.js'
import { readProcessTable } from '../process/process-table.js'

export type ListeningPort = {
  readonly port: number
  /** The loopback address that reaches the port. */
  readonly host: '127.0.0.1' | '::1'
  /** The name of the program. */
  readonly program: string
}

const LISTENING = '0A'
const ANY_V4 = '00000000'
const LOOPBACK_V4 = '0100007F'
const ANY_V6 = '0'.repeat(32)
const LOOPBACK_V6 = '00000000000000000000000001000000'

/** The ports of the processes and all that they started, lowest first. */
export function listeningPorts(pids: readonly number[]): readonly ListeningPort[] {
  const table = readProcessTable()
  if (process.platform !== 'linux' || table === 'unsupported' || pids.length === 0) return []
  const owners = new Set(
    table.flatMap(({ pid, owner }) => (pids.includes(pid) ? (owner ?? []) : [])),
  )
  const isOurs = ({ pid, owner }: (typeof table)[number]) =>
    pids.includes(pid) || (owner !== undefined && owners.has(owner))
  const names = new Map(findOwned(table, isOurs).map(({ pid, name }) => [pid, name]))
  const sockets = new Map([...readSockets('tcp6'), ...readSockets('tcp')])
  const found = new Map<number, ListeningPort>()
  for (const [pid, program] of names)
    for (const inode of socketsOf(pid)) {
      const socket = sockets.get(inode)
      if (socket) found.set(socket.port, { ...socket, program })
    }
  return [...found.values()].toSorted((a, b) => a.port - b.port)
}

type Listening = Pick<ListeningPort, 'port' | 'host'>

/** Listening sockets that loopback reaches, by inode. */
function readSockets(name: 'tcp' | 'tcp6'): Map<string, Listening> {
  const [, ...lines] = readText(`/proc/net/${name}`).split('\n')
  const sockets = new Map<string, Listening>()
  for (const line of lines) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    const [address = '', port = ''] = local.split(':')
    const host = hostOf(address)
    if (state === LISTENING && host) sockets.set(inode, { port: Number.parseInt(port, 16), host })
  }
  return sockets
}

/** A socket on all IPv6 addresses also accepts IPv4 connections, unless it is IPv6-only. */
function hostOf(address: string): ListeningPort['host'] | undefined {
  if (address === ANY_V4 || address === LOOPBACK_V4) return '127.0.0.1'
  return address === ANY_V6 || address === LOOPBACK_V6 ? '::1' : undefined
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).flatMap((name) => inodeOf(`${folder}/${name}`) ?? [])
  } catch {
    // The process has ended, or belongs to another user.
    return []
  }
}

function inodeOf(link: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(link))?.[1]
  } catch {
    return undefined
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Without IPv6 there is no tcp6.
    return ''
  }
}
