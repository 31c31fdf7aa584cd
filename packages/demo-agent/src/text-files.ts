// Reads and writes text files: through the client if it offers that, so that it sees and confines every access.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { methods } from '@agentclientprotocol/sdk'
import type { Turn } from './turn.js'

export async function readText(turn: Turn, path: string): Promise<string> {
  const { client, clientCapabilities } = turn.deps
  if (!clientCapabilities.fs?.readTextFile) {
    return readFile(path, { encoding: 'utf8', signal: turn.signal })
  }
  const answer = client.request(methods.client.fs.readTextFile, {
    sessionId: turn.session.id,
    path,
  })
  return (await turn.unlessCancelled(answer)).content
}

/** The file's text, or undefined when it does not exist. */
export async function findText(turn: Turn, path: string): Promise<string | undefined> {
  try {
    return await readText(turn, path)
  } catch (error) {
    if (turn.signal.aborted || turn.deps.settings.faults.has('read-first')) throw error
    // Clients report a missing file in different ways, so check the disk.
    if (existsSync(path)) throw error
    return undefined
  }
}

export async function writeText(turn: Turn, path: string, content: string) {
  const { client, clientCapabilities } = turn.deps
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
