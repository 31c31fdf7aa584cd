#!/usr/bin/env node
// The `quayside` command: connects this process to it.
import type { CommandIo } from './commands/io/command-io.js'
import { runCli } from './commands/run-cli.js'

const io: CommandIo = {
  // A stream of the process is opened when it is first asked for.
  get stdin() {
    return process.stdin
  },
  get stdout() {
    return process.stdout
  },
  get stderr() {
    return process.stderr
  },
  env: process.env,
  cwd: process.cwd(),
  exitCode: 0,
  exit: (code) => process.exit(code),
  onSignal(signal, listener) {
    process.on(signal, listener)
    return () => process.off(signal, listener)
  },
}

process.exitCode = await runCli(process.argv.slice(2), io)
