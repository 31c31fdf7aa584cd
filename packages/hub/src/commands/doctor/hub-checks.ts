// The checks of `quayside doctor` for the data directory, the hub that may use it, and the hub's port.
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config/config.js'
import { findLockHolder, isDataDirectoryLocked, type LockHolder } from '../../store/data-lock.js'
import { measureDiskUse, measureFreeBytes } from '../../store/disk-use.js'
import { describeTime } from '../io/describe-time.js'
import { formatBytes } from '../io/format-bytes.js'
import { fetchTrusting } from '../io/trust-certificate.js'
import { type Check, resultsOf } from './check.js'

/** Below the first the hub is about to stop writing; below the second doctor warns. */
const TOO_LITTLE_BYTES = 200 * 1024 * 1024
const LITTLE_BYTES = 1024 * 1024 * 1024

export async function checkDataDirectory({ dataDir }: Config): Promise<Check> {
  const { ok, warning, problem } = resultsOf('data-directory')
  const found = statSync(dataDir, { throwIfNoEntry: false })
  const path = { path: dataDir }
  if (found !== undefined && !found.isDirectory())
    return problem(
      `The data directory ${dataDir} is not a folder. Remove or rename that file.`,
      path,
    )
  const folder = found === undefined ? nearestFolder(dataDir) : dataDir
  if (!isWritable(folder))
    return problem(`The data directory ${dataDir} is not writable. Check its owner.`, path)
  const freeBytes = await measureFreeBytes(folder)
  const free = `${formatBytes(freeBytes)} free`
  if (freeBytes < TOO_LITTLE_BYTES)
    return problem(`The disk of ${dataDir} is almost full: ${free}.`, { ...path, freeBytes })
  if (found === undefined)
    return ok(`Data directory ${dataDir}: the first start creates it (${free})`, path)
  const mode = `0${(found.mode & 0o777).toString(8)}`
  const details = { ...path, freeBytes, mode }
  if ((found.mode & 0o077) !== 0)
    return warning(
      `Other users can read the data directory ${dataDir} (mode ${mode}). Run: chmod 700 '${dataDir}'`,
      details,
    )
  if (freeBytes < LITTLE_BYTES)
    return warning(`The disk of ${dataDir} is getting full: ${free}.`, details)
  return ok(`Data directory ${dataDir} (${free})`, details)
}

export async function checkDiskUse({ dataDir }: Config): Promise<Check> {
  const { ok } = resultsOf('disk-use')
  if (!existsSync(dataDir)) return ok('Disk use: nothing yet')
  const use = await measureDiskUse(dataDir)
  const sizes = [
    `database ${formatBytes(use.database.bytes)}`,
    `media ${formatBytes(use.media.bytes)}`,
    `wire logs ${formatBytes(use.wire.bytes)}`,
    `backups ${formatBytes(use.backups.bytes)}`,
    ...(use.setAside.files === 0
      ? []
      : [`set aside by restores ${formatBytes(use.setAside.bytes)}`]),
  ]
  return ok(`Disk use ${formatBytes(use.totalBytes)}: ${sizes.join(', ')}`, { ...use })
}

export type HubCheck = { readonly check: Check; readonly address?: string }

/** The lock shows that a hub runs, hub.json which one, and the health route that it answers. */
export async function checkHub({ dataDir }: Config): Promise<HubCheck> {
  const { ok, warning, problem } = resultsOf('hub')
  const holder = findLockHolder(dataDir)
  if (
    holder?.address !== undefined &&
    (await findHealth(holder.address, holder.certificate)) !== undefined
  )
    return { check: ok(describe(holder), detailsOf(holder)), address: holder.address }
  if (!isDataDirectoryLocked(dataDir)) return { check: ok('No hub is running here') }
  if (holder === undefined) {
    const message = `A process uses ${dataDir}, but its file hub.json is missing or damaged. Stop the process and start it again.`
    return { check: warning(message) }
  }
  const details = detailsOf(holder)
  if (holder.address === undefined) {
    const message = `Process ${holder.pid} uses ${dataDir} and does not listen: a hub that is starting, or another command.`
    return { check: warning(message, details) }
  }
  const message = `The hub (process ${holder.pid}) does not answer at ${holder.address}. Stop it and start it again.`
  return { check: problem(message, details), address: holder.address }
}

export async function checkPort({ host, port }: Config, { address }: HubCheck): Promise<Check> {
  const { ok, problem } = resultsOf('port')
  const details = { host, port }
  if (address !== undefined) return ok(`Port ${new URL(address).port}: used by the hub`, details)
  const failure = await tryToListen(host, port)
  if (failure === undefined) return ok(`Port ${port} is free`, details)
  if (failure.code !== 'EADDRINUSE')
    return problem(`The hub cannot listen on ${host}:${port}: ${failure.message}`, details)
  const other = await findHealth(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const user = other === undefined ? 'another program' : `a hub with another data directory`
  return problem(
    `Port ${port} is in use by ${user}. Stop it, or choose another port with --port.`,
    details,
  )
}

function describe({ pid, address, startedAt }: LockHolder): string {
  return `The hub runs at ${address ?? ''} (process ${pid}, since ${describeTime(startedAt)})`
}

/** All but the token. */
function detailsOf({ pid, address, startedAt }: LockHolder): Record<string, unknown> {
  return { pid, address, startedAt: new Date(startedAt).toISOString() }
}

async function findHealth(address: string, certificate?: string): Promise<string | undefined> {
  const ask = certificate === undefined ? fetch : fetchTrusting(certificate)
  try {
    const signal = AbortSignal.timeout(5_000)
    const response = await ask(`${address}/api/health`, { signal })
    const { status } = (await response.json()) as { status?: unknown }
    return status === 'ok' ? status : undefined
  } catch {
    // No answer, or not the answer of a hub.
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
