// The program of a terminal host, started by host-start.ts: reads the launch from stdin, reports on stdout whether it
// runs, and then outlives the hub.
import { writeSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { IPty } from '@lydell/node-pty'
import { messageOfError } from '../../errors.js'
import { type HostFailure, type HostLaunch, toLine } from './host-protocol.js'
import { TerminalHost } from './terminal-host.js'

type Spawn = (launch: HostLaunch) => IPty

const launch = JSON.parse(await text(process.stdin)) as HostLaunch
const spawn = await loadPty()
try {
  await TerminalHost.start(launch, spawn)
  reportStart(null)
} catch (error) {
  fail({ code: 'failed', message: messageOfError(error) })
}

/** node-pty has binaries for some platforms only. */
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

function reportStart(error: HostFailure | null): void {
  writeSync(1, toLine({ error }))
}

function fail(failure: HostFailure): never {
  reportStart(failure)
  process.exit(1)
}
