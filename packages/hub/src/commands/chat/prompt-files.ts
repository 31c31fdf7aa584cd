// The files of a prompt: text is sent inside it, images are uploaded. They are read and checked before a session is opened.
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AgentChatClient, ContentBlock } from '@quayside/client'
import { acceptsContent, type AgentCapabilities } from '@quayside/protocol'
import { fileKindOf } from '../../repos/files/file-kind.js'
import { MAX_MEDIA_BYTES } from '../../store/media.js'
import { type CommandIo, pathFrom } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { formatBytes } from '../io/format-bytes.js'

export type PromptFile =
  | { readonly path: string; readonly mimeType: string; readonly image: Uint8Array<ArrayBuffer> }
  | { readonly path: string; readonly text: string }

const MAX_FILES = 16
/** For all text files together: a request to the hub is limited to one megabyte. */
const MAX_TEXT_BYTES = 512 * 1024

export function readPromptFiles(paths: readonly string[], io: CommandIo): readonly PromptFile[] {
  if (paths.length > MAX_FILES) throw wrong(`A prompt can have at most ${MAX_FILES} files.`)
  const files = paths.map((path) => readPromptFile(pathFrom(io, path)))
  const textBytes = files.reduce(
    (sum, file) => sum + ('text' in file ? Buffer.byteLength(file.text) : 0),
    0,
  )
  if (textBytes > MAX_TEXT_BYTES)
    throw wrong(
      `The text files have ${formatBytes(textBytes)}; the limit is ${formatBytes(MAX_TEXT_BYTES)}. Put large files into the repository and name them: the agent can read them there.`,
    )
  return files
}

/** As content blocks that the agent accepts. Without `capabilities` the agent has not started: the hub checks its images. */
export async function toContentBlocks(
  files: readonly PromptFile[],
  client: AgentChatClient,
  capabilities: AgentCapabilities | null,
): Promise<ContentBlock[]> {
  const embeds = capabilities !== null && acceptsContent(capabilities, 'resource')
  const refusesImages = capabilities !== null && !acceptsContent(capabilities, 'image')
  const blocks: ContentBlock[] = []
  for (const file of files) {
    if ('text' in file) {
      blocks.push(embeds ? embedded(file) : quoted(file))
      continue
    }
    if (refusesImages)
      throw wrong(
        `${file.path} is an image, and this agent accepts none. Send it to another agent: --agent.`,
      )
    const { mimeType } = file
    const { url } = await client.upload(file.image, { mimeType })
    blocks.push({ type: 'image', mimeType, uri: url })
  }
  return blocks
}

function readPromptFile(path: string): PromptFile {
  const bytes = readAtMost(path, MAX_MEDIA_BYTES)
  const kind = fileKindOf(bytes)
  if (kind.is === 'binary')
    throw wrong(`${path} is neither text nor an image. Send a text file, PNG, JPEG, GIF or WebP.`)
  return kind.is === 'picture'
    ? { path, mimeType: kind.mimeType, image: new Uint8Array(bytes) }
    : { path, text: bytes.toString('utf8') }
}

function readAtMost(path: string, maxBytes: number): Buffer {
  try {
    const file = openSync(path, 'r')
    try {
      const stats = fstatSync(file)
      if (!stats.isFile()) throw wrong(`${path} is not a file.`)
      if (stats.size > maxBytes)
        throw wrong(
          `${path} has ${formatBytes(stats.size)}; the limit is ${formatBytes(maxBytes)}.`,
        )
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

/** For agents without the `embeddedContext` capability. */
function quoted({ path, text }: { readonly path: string; readonly text: string }): ContentBlock {
  return { type: 'text', text: `The file ${basename(path)}:\n\n${text}` }
}

function wrong(message: string): CommandError {
  return new CommandError(message, EXIT.usage)
}
