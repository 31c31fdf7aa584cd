// The program of a terminal's host, started by people-terminals.ts: reads what to run from stdin, says whether it runs, and
// then lives for itself.
import { writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { IPty } from '@lydell/node-pty'
import { messageOfError } from '../errors.js'
import { type HostFailure, type HostLaunch, toLine } from './host-protocol.js'
import { TerminalHost } from './terminal-host.js'

type Spawn = (launch: HostLaunch) => IPty

const launch = JSON.parse(await text(process.stdin)) as HostLaunch
const spawn = await loadPty()
try {
  await TerminalHost.start(launch, spawn)
  tell(null)
} catch (error) {
  fail({ code: 'failed', message: messageOfError(error) })
}

/** Its binary is a package per platform, and there is not one for every platform. */
async function loadPty(): Promise<Spawn> {
  try {
    const { spawn } = await import('@lydell/node-pty')
    return ({ terminal, env }) => {
      const { command, args, cwd, cols, rows } = terminal
      return spawn(command, [...args], { name: 'xterm-256color', cols, rows, cwd, env })
    }
  } catch (error) {
    return fail({ code: 'no_pty', message: messageOfError(error) })
  }
}

function tell(error: HostFailure | null): void {
  writeSync(1, toLine({ error }))
}

function fail(failure: HostFailure): never {
  tell(failure)
  process.exit(1)
}
