// `quayside pair`: asks the running hub for another one-time sign-in address.
import type { Command } from 'commander'
import { loadConfig } from '../config.js'
import { findLockHolder } from '../store/data-lock.js'

export function addPairCommand(program: Command): void {
  program
    .command('pair')
    .description('print a fresh one-time sign-in address of the running hub')
    .action(pair)
}

async function pair(): Promise<void> {
  const { dataDir } = loadConfig({}, process.env, process.cwd())
  const holder = findLockHolder(dataDir)
  if (holder?.address === undefined || holder.localToken === undefined)
    throw new Error(`No hub is running on ${dataDir}. Start one with: quayside start`)
  const response = await fetch(`${holder.address}/api/login-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${holder.localToken}` },
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`The hub at ${holder.address} answered ${response.status}.`)
  const { code } = (await response.json()) as { code: string }
  process.stdout.write(`${holder.address}/#code=${code}\n`)
}
