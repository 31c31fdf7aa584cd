// `quayside logs`: prints the log of the background hub, formatted at a terminal and as JSON lines elsewhere.
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { loadConfig } from '../../config/config.js'
import { formatLogLine } from '../../log-line.js'
import { type CommandIo, type CommandOutput, exitWhenStdoutCloses } from '../io/command-io.js'
import { logFileOf } from './daemon.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { wholeNumber } from '../io/read-whole-number.js'

type Flags = { readonly follow?: boolean; readonly lines: number }

const POLL_MS = 250
const CHUNK_BYTES = 64 * 1024
/** The part of the file's end that is searched for the last lines. */
const MAX_TAIL_BYTES = 1024 * 1024

export function defineLogs(command: Command, io: CommandIo): void {
  command
    .option('-f, --follow', 'keep printing new lines until Ctrl-C')
    .option('-n, --lines <number>', 'number of last lines to print', wholeNumber(1), 100)
    .addHelpText(
      'after',
      `
Prints the log of \`quayside start --daemon\`: readable at a terminal, JSON lines
elsewhere.

Examples:
  quayside logs -f
  quayside logs -n 1000 | grep '"level":50'`,
    )
    .action((flags: Flags) => logs(flags, io))
}

async function logs({ follow = false, lines }: Flags, io: CommandIo): Promise<void> {
  exitWhenStdoutCloses(io, EXIT.done)
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  await using file = await openLog(logFileOf(dataDir))
  const write = lineWriter(io.stdout)
  const at = await writeTail(file, lines, write)
  if (follow) await followFile(file, at, write)
}

type Write = (line: string) => Promise<void>

async function openLog(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw new CommandError(
      `There is no log at ${path}. Only a background hub writes one: quayside start --daemon`,
      EXIT.failed,
      { cause },
    )
  }
}

/** Returns the offset after the last printed line. */
async function writeTail(file: FileHandle, lines: number, write: Write): Promise<number> {
  const { size } = await file.stat()
  const length = Math.min(size, MAX_TAIL_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
  const all = buffer.toString('utf8', 0, end).split('\n').slice(0, -1)
  for (const line of all.slice(-lines)) await write(line)
  return size - length + end
}

/** Runs until Ctrl-C. */
async function followFile(file: FileHandle, from: number, write: Write): Promise<never> {
  for (let at = from; ;) {
    at = await writeFrom(file, at, write)
    await sleep(POLL_MS)
    // The hub truncates a large log.
    if ((await file.stat()).size < at) at = 0
  }
}

/** Prints whole lines only. Returns the offset of the next line. */
async function writeFrom(file: FileHandle, from: number, write: Write): Promise<number> {
  for (let at = from; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    const read = buffer.subarray(0, bytesRead)
    const end = read.lastIndexOf('\n') + 1
    // A line longer than a chunk is printed in parts.
    const length = end === 0 && bytesRead === CHUNK_BYTES ? bytesRead : end
    if (length === 0) return at
    for (const line of read.toString('utf8', 0, length).trimEnd().split('\n')) await write(line)
    at += length
  }
}

function lineWriter(stdout: CommandOutput): Write {
  return async (line) => {
    const hasRoom = stdout.write(stdout.isTTY ? formatLogLine(line, stdout) : `${line}\n`)
    if (!hasRoom) await once(stdout, 'drain')
  }
}
