// Reads a session's frames from the wire files, also of ended processes and earlier hubs.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../json.js'
import type { WireFrame } from '@quayside/protocol'
import { yieldLoop } from '../../../yield-loop.js'
import { nameSession } from './wire-frame.js'

/** Limit of the text that is searched, over all files. */
const MAX_CHARS = 16 * 1024 * 1024
const PAGE_CHARS = 64 * 1024

/** The newest frames of a session, oldest first. */
export async function readSessionFrames(
  folder: string,
  sessionId: string,
  limit: number,
): Promise<WireFrame[]> {
  const frames: WireFrame[] = []
  let charsLeft = MAX_CHARS
  for (const path of await processFiles(folder)) {
    const parts = await Promise.all([`${path}.old`, path].map(readText))
    const text = parts.join('')
    if (!text.includes(sessionId)) continue
    const found = await framesOf(text, sessionId)
    frames.unshift(...found.slice(-limit))
    charsLeft -= text.length
    if (frames.length >= limit || charsLeft <= 0) break
  }
  return frames.toSorted((a, b) => a.at - b.at).slice(-limit)
}

/** One file for each process, newest first. */
async function processFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    [...new Set(names.map((name) => name.replace(/\.old$/, '')))]
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => {
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        return { path, at: found?.mtimeMs ?? 0 }
      }),
  )
  return files.toSorted((a, b) => b.at - a.at).map(({ path }) => path)
}

/** Either file may be missing, or may be rotated during the read. */
function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

async function framesOf(text: string, sessionId: string): Promise<WireFrame[]> {
  const written = await parseLines(text)
  // Lines from before the session was attached carry the agent's id.
  const names = new Set([sessionId])
  for (const line of written) if (line.sessionId === sessionId) addAcpSessionId(names, line.frame)
  const others = written.some((line) => line.sessionId !== undefined && !names.has(line.sessionId))
  return written.flatMap((frame) => {
    const { sessionId: named } = frame
    // Lines without a session id (initialize, stderr) belong to the process's session, if it has only one.
    const isOurs = named === undefined ? !others : names.has(named)
    return isOurs ? [{ ...frame, ...(named && nameSession(sessionId)) }] : []
  })
}

/** Yields to other work after each page. */
async function parseLines(text: string): Promise<WireFrame[]> {
  const frames: WireFrame[] = []
  let chars = 0
  for (const line of text.split('\n')) {
    frames.push(...parse(line))
    chars += line.length
    if (chars < PAGE_CHARS) continue
    chars = 0
    await yieldLoop()
  }
  return frames
}

function parse(line: string): WireFrame[] {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && 'frame' in value ? [value as WireFrame] : []
  } catch {
    // Blank, or truncated because the hub was killed.
    return []
  }
}

function addAcpSessionId(names: Set<string>, frame: unknown): void {
  const params = isObject(frame) ? frame['params'] : undefined
  const acpSessionId = isObject(params) ? params['sessionId'] : undefined
  if (typeof acpSessionId === 'string') names.add(acpSessionId)
}
