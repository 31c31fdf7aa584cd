// The files that go with a prompt: text inside of it, pictures uploaded beside it. Read and checked before anything is started.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentChatClient, ContentBlock } from '@quayside/client'
import { fileKindOf } from '../../repos/file-kind.js'
import { MAX_MEDIA_BYTES } from '../../store/media.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { formatBytes } from '../io/format-bytes.js'

export type PromptFile =
  | { readonly path: string; readonly mimeType: string; readonly picture: Uint8Array<ArrayBuffer> }
  | { readonly path: string; readonly text: string }

/** What an agent says that it takes in a prompt; of what it does not speak, nobody knows. */
export type PromptCapabilities = {
  readonly image?: unknown
  readonly embeddedContext?: unknown
}

const MAX_FILES = 16
/** Of all texts together: a request to the hub holds one megabyte. */
const MAX_TEXT_BYTES = 512 * 1024

export function readPromptFiles(paths: readonly string[], io: CommandIo): readonly PromptFile[] {
  if (paths.length > MAX_FILES) throw wrong(`At most ${MAX_FILES} files go with a prompt.`)
  const files = paths.map((path) => readPromptFile(pathFrom(io, path)))
  const textBytes = files.reduce(
    (sum, file) => sum + ('text' in file ? Buffer.byteLength(file.text) : 0),
    0,
  )
  if (textBytes > MAX_TEXT_BYTES)
    throw wrong(
      `The text files have ${formatBytes(textBytes)}; together at most ${formatBytes(MAX_TEXT_BYTES)} go with a prompt. An agent reads what lies in its repository by itself.`,
    )
  return files
}

/** As content blocks, in the way that the agent takes them. */
export async function toContentBlocks(
  files: readonly PromptFile[],
  client: AgentChatClient,
  { image, embeddedContext }: PromptCapabilities,
): Promise<ContentBlock[]> {
  const blocks: ContentBlock[] = []
  for (const file of files) {
    if ('text' in file) {
      blocks.push(embeddedContext === false ? quoted(file) : embedded(file))
      continue
    }
    if (image === false) throw wrong(`${file.path} is a picture, and this agent takes none.`)
    const { mimeType } = file
    const { url } = await client.upload(file.picture, { mimeType })
    blocks.push({ type: 'image', mimeType, uri: url })
  }
  return blocks
}

function readPromptFile(path: string): PromptFile {
  const bytes = readAtMost(path, MAX_MEDIA_BYTES)
  const kind = fileKindOf(bytes)
  if (kind.is === 'binary') throw wrong(`${path} is neither text nor a picture that agents know.`)
  return kind.is === 'picture'
    ? { path, mimeType: kind.mimeType, picture: new Uint8Array(bytes) }
    : { path, text: bytes.toString('utf8') }
}

function readAtMost(path: string, maxBytes: number): Buffer {
  try {
    const file = openSync(path, 'r')
    try {
      const facts = fstatSync(file)
      if (!facts.isFile()) throw wrong(`${path} is no file.`)
      if (facts.size > maxBytes)
        throw wrong(`${path} has ${formatBytes(facts.size)}; at most ${formatBytes(maxBytes)} go.`)
      return readFileSync(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw wrong(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function embedded({ path, text }: { readonly path: string; readonly text: string }): ContentBlock {
  return { type: 'resource', resource: { uri: pathToFileURL(resolve(path)).href, text } }
}

/** For agents that take no files inside of prompts. */
function quoted({ path, text }: { readonly path: string; readonly text: string }): ContentBlock {
  return { type: 'text', text: `The file ${basename(path)}:\n\n${text}` }
}

function wrong(message: string): CommandError {
  return new CommandError(message, EXIT.usage)
}
