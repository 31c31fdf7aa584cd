// Replaces references to the hub's media by their bytes, as an ACP client needs images and audio.
import { readFile } from 'node:fs/promises'
import type { SessionUpdate } from '@quayside/protocol'
import { isObject, type JsonObject } from '../json.js'
import type { MediaStore } from '../store/media.js'

export type FindMedia = Pick<MediaStore, 'findByUrl'>

/** Larger files are named, not sent: a message is held in memory as a whole. */
const MAX_INLINE_BYTES = 4 * 1024 * 1024

/** The update with the bytes of its media. */
export async function withMedia<Update extends SessionUpdate | JsonObject>(
  update: Update,
  media: FindMedia,
): Promise<Update> {
  const content = update['content']
  if (isObject(content)) return { ...update, content: await fill(content, media) }
  if (!Array.isArray(content)) return update
  const items = content.map(async (item: unknown) =>
    isObject(item) && isObject(item['content'])
      ? { ...item, content: await fill(item['content'], media) }
      : item,
  )
  return { ...update, content: await Promise.all(items) }
}

async function fill(block: JsonObject, media: FindMedia): Promise<JsonObject> {
  const { type, data, uri, _meta, ...rest } = block
  if ((type !== 'image' && type !== 'audio') || (typeof data === 'string' && data !== ''))
    return block
  const note = isObject(_meta) && isObject(_meta['quayside']) ? _meta['quayside'] : {}
  const reference = String(note['media'] ?? uri)
  const stored = await media.findByUrl(reference)
  if (stored === undefined) return { type: 'text', text: `[${type}: not kept by the hub]` }
  if (stored.byteLength > MAX_INLINE_BYTES) {
    const text = `[${type}, ${stored.byteLength} bytes, too large to send: open ${reference} at the hub]`
    return { type: 'text', text }
  }
  const { mimeType } = stored
  return { ...rest, type, mimeType, data: await readFile(stored.path, 'base64') }
}
