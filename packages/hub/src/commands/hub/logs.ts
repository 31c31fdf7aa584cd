// `quayside logs`: the log of a hub in the background, as lines for programs or, at a terminal, for people.
import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { prettyFactory } from 'pino-pretty'
import { loadConfig } from '../../config.js'
import { type CommandIo, type CommandOutput, exitWhenReaderLeaves } from '../io/command-io.js'
import { logFileOf } from './daemon.js'
import { CommandError, EXIT } from '../io/exit-codes.js'

type Flags = { readonly follow?: boolean; readonly lines: number }

const LOOK_AGAIN_MS = 250
const CHUNK_BYTES = 64 * 1024
/** How much of the end is looked at for the last lines. */
const MAX_TAIL_BYTES = 1024 * 1024

export function defineLogs(command: Command, io: CommandIo): void {
  command
    .option('-f, --follow', 'go on with what is written from now on, until Ctrl-C')
    .option('-n, --lines <number>', 'how many of the last lines', readCount, 100)
    .addHelpText(
      'after',
      `
The log of \`quayside start --daemon\`. At a terminal it is made readable; elsewhere each line is the JSON that was written.

Examples:
  quayside logs -f
  quayside logs -n 1000 | grep '"level":50'`,
    )
    .action((flags: Flags) => logs(flags, io))
}

async function logs({ follow = false, lines }: Flags, io: CommandIo): Promise<void> {
  exitWhenReaderLeaves(io, EXIT.done)
  const { dataDir } = loadConfig({}, io.env, io.cwd)
  await using file = await openLog(logFileOf(dataDir))
  const write = lineWriter(io.stdout)
  const at = await writeTail(file, lines, write)
  if (follow) await writeOn(file, at, write)
}

type Write = (line: string) => Promise<void>

async function openLog(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (cause) {
    throw new CommandError(
      `There is no log at ${path}. A hub in the background writes one: quayside start --daemon`,
      EXIT.failed,
      { cause },
    )
  }
}

/** Answers with where it ended. */
async function writeTail(file: FileHandle, lines: number, write: Write): Promise<number> {
  const { size } = await file.stat()
  const length = Math.min(size, MAX_TAIL_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
  const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
  const all = buffer.toString('utf8', 0, end).split('\n').slice(0, -1)
  for (const line of all.slice(-lines)) await write(line)
  return size - length + end
}

/** Until Ctrl-C. */
async function writeOn(file: FileHandle, from: number, write: Write): Promise<never> {
  for (let at = from; ;) {
    at = await writeFrom(file, at, write)
    await sleep(LOOK_AGAIN_MS)
    // It is emptied when it has become large.
    if ((await file.stat()).size < at) at = 0
  }
}

/** Whole lines only. Answers with where the next one begins. */
async function writeFrom(file: FileHandle, from: number, write: Write): Promise<number> {
  for (let at = from; ;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
    const read = buffer.subarray(0, bytesRead)
    const end = read.lastIndexOf('\n') + 1
    // A line longer than a piece goes on in the next one.
    const length = end === 0 && bytesRead === CHUNK_BYTES ? bytesRead : end
    if (length === 0) return at
    for (const line of read.toString('utf8', 0, length).trimEnd().split('\n')) await write(line)
    at += length
  }
}

function lineWriter(stdout: CommandOutput): Write {
  const pretty = prettyFactory({ colorize: true, ignore: 'pid,hostname' })
  return async (line) => {
    const isRoom = stdout.write(stdout.isTTY ? pretty(line) : `${line}\n`)
    if (!isRoom) await once(stdout, 'drain')
  }
}

function readCount(value: string): number {
  const count = Number(value)
  if (Number.isInteger(count) && count >= 1) return count
  throw new InvalidArgumentError('A whole number from 1.')
}
