// What `quayside doctor` says about the data directory, the hub that may run on it, and its port.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config.js'
import { findLockHolder, isDataDirectoryLocked, type LockHolder } from '../../store/data-lock.js'
import { measureDiskUse, measureFreeBytes } from '../../store/disk-use.js'
import type { Check } from './doctor.js'
import { formatBytes } from '../io/format-bytes.js'

/** Below the first the hub is about to stop writing, below the second it is time to look. */
const TOO_LITTLE_BYTES = 200 * 1024 * 1024
const LITTLE_BYTES = 1024 * 1024 * 1024

export async function checkDataDirectory({ dataDir }: Config): Promise<Check> {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  const fact = (level: Check['level'], message: string, details = {}): Check => ({
    id: 'data-directory',
    level,
    message,
    details: { path: dataDir, ...details },
  })
  if (found !== undefined && !found.isDirectory())
    return fact('problem', `The data directory ${dataDir} is not a folder.`)
  const place = found === undefined ? nearestFolder(dataDir) : dataDir
  if (!isWritable(place))
    return fact('problem', `The data directory ${dataDir} cannot be written. Check who owns it.`)
  const freeBytes = await measureFreeBytes(place)
  const free = `${formatBytes(freeBytes)} free`
  if (freeBytes < TOO_LITTLE_BYTES)
    return fact('problem', `The disk of ${dataDir} is almost full: ${free}.`, { freeBytes })
  if (found === undefined)
    return fact('ok', `Data directory ${dataDir}: the first start makes it (${free})`)
  const mode = `0${(found.mode & 0o777).toString(8)}`
  const details = { freeBytes, mode }
  if ((found.mode & 0o077) !== 0)
    return fact(
      'warning',
      `Others can look into the data directory ${dataDir} (mode ${mode}): chmod 700 '${dataDir}'`,
      details,
    )
  if (freeBytes < LITTLE_BYTES)
    return fact('warning', `The disk of ${dataDir} is getting full: ${free}.`, details)
  return fact('ok', `Data directory ${dataDir} (${free})`, details)
}

export async function checkDiskUse({ dataDir }: Config): Promise<Check> {
  const id = 'disk-use'
  if (!existsSync(dataDir)) return { id, level: 'ok', message: 'Disk use: nothing yet' }
  const use = await measureDiskUse(dataDir)
  const parts = [
    `database ${formatBytes(use.database.bytes)}`,
    `media ${formatBytes(use.media.bytes)}`,
    `wire logs ${formatBytes(use.wire.bytes)}`,
    `backups ${formatBytes(use.backups.bytes)}`,
    ...(use.setAside.files === 0
      ? []
      : [`set aside by restores ${formatBytes(use.setAside.bytes)}`]),
  ]
  const message = `Disk use ${formatBytes(use.totalBytes)}: ${parts.join(', ')}`
  return { id, level: 'ok', message, details: { ...use } }
}

export type HubCheck = { readonly check: Check; readonly address?: string }

/** The lock decides whether a hub is there; its note says which; its health says how it is. */
export async function checkHub({ dataDir }: Config): Promise<HubCheck> {
  const id = 'hub'
  const holder = findLockHolder(dataDir)
  if (holder?.address !== undefined && (await findHealth(holder.address)) !== undefined)
    return {
      check: { id, level: 'ok', message: describe(holder), details: factsOf(holder) },
      address: holder.address,
    }
  if (!isDataDirectoryLocked(dataDir))
    return { check: { id, level: 'ok', message: 'No hub runs here' } }
  if (holder === undefined) {
    const message = `A process works in ${dataDir}, but its note hub.json is missing or damaged. Stop it and start it again.`
    return { check: { id, level: 'warning', message } }
  }
  const details = factsOf(holder)
  if (holder.address === undefined) {
    const message = `Process ${holder.pid} works in ${dataDir} and does not serve: a hub that starts, or another command.`
    return { check: { id, level: 'warning', message, details } }
  }
  const message = `The hub (process ${holder.pid}) does not answer at ${holder.address}. Stop it and start it again.`
  return { check: { id, level: 'problem', message, details }, address: holder.address }
}

export async function checkPort({ host, port }: Config, { address }: HubCheck): Promise<Check> {
  const id = 'port'
  const details = { host, port }
  if (address !== undefined)
    return { id, level: 'ok', message: `Port ${new URL(address).port}: used by the hub`, details }
  const failure = await tryToListen(host, port)
  if (failure === undefined) return { id, level: 'ok', message: `Port ${port} is free`, details }
  if (failure.code !== 'EADDRINUSE') {
    const message = `The hub could not listen on ${host}:${port}: ${failure.message}`
    return { id, level: 'problem', message, details }
  }
  const other = await findHealth(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const who = other === undefined ? 'another program' : `a hub with another data directory`
  const message = `Port ${port} is in use by ${who}. Stop that, or choose another port with --port.`
  return { id, level: 'problem', message, details }
}

function describe({ pid, address, startedAt }: LockHolder): string {
  return `The hub runs at ${address ?? ''} (process ${pid}, since ${new Date(startedAt).toISOString()})`
}

/** Without the token. */
function factsOf({ pid, address, startedAt }: LockHolder): Record<string, unknown> {
  return { pid, address, startedAt: new Date(startedAt).toISOString() }
}

async function findHealth(address: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(5_000)
    const response = await fetch(`${address}/api/health`, { signal })
    const { status } = (await response.json()) as { status?: unknown }
    return status === 'ok' ? status : undefined
  } catch {
    // Whatever the reason, it does not answer as a hub does.
    return undefined
  }
}

function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
