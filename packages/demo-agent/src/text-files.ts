// Reads and writes text files: through the client where it offers that, so that it sees and confines every access.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { methods } from '@agentclientprotocol/sdk'
import type { Turn } from './turn.js'

export async function readText(turn: Turn, path: string): Promise<string> {
  const { client, clientCapabilities } = turn.parts
  if (!clientCapabilities.fs?.readTextFile) {
    return readFile(path, { encoding: 'utf8', signal: turn.signal })
  }
  const answer = client.request(methods.client.fs.readTextFile, {
    sessionId: turn.session.id,
    path,
  })
  return (await turn.unlessCancelled(answer)).content
}

/** The file's text, or nothing when there is no such file. */
export async function findText(turn: Turn, path: string): Promise<string | undefined> {
  try {
    return await readText(turn, path)
  } catch (error) {
    // Clients name a missing file in different ways; the disk is the judge.
    if (turn.signal.aborted || existsSync(path)) throw error
    return undefined
  }
}

export async function writeText(turn: Turn, path: string, content: string) {
  const { client, clientCapabilities } = turn.parts
  if (!clientCapabilities.fs?.writeTextFile) {
    await writeFile(path, content, { signal: turn.signal })
    return
  }
  const answer = client.request(methods.client.fs.writeTextFile, {
    sessionId: turn.session.id,
    path,
    content,
  })
  await turn.unlessCancelled(answer)
}
