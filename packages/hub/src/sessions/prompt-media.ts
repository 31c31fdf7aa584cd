// Pictures in prompts: stored once and referenced in the log, whole again when the agent gets them.
import { readFile } from 'node:fs/promises'
import type { ContentBlock } from '@quayside/protocol'
import type { MediaStore } from '../store/media.js'
import type { PutMedia } from './data-uris.js'
import { takeMediaOut } from './update-media.js'

const REFERENCE = /^\/media\/([\w-]+)$/

export class PromptMedia {
  readonly #media: Pick<MediaStore, 'find'>
  readonly #put: PutMedia

  constructor(media: Pick<MediaStore, 'find'>, put: PutMedia) {
    this.#media = media
    this.#put = put
  }

  /** As it is stored and shown. */
  takeOut(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    return takeMediaOut({ prompt }, this.#put).prompt
  }

  /** As the agent gets it: uploads and stored pictures with their bytes. */
  putBack(prompt: readonly ContentBlock[]): Promise<ContentBlock[]> {
    return Promise.all(prompt.map((block) => this.#fill(block)))
  }

  async #fill(block: ContentBlock): Promise<ContentBlock> {
    if (block.type !== 'image' || block.data) return block
    const id = REFERENCE.exec(block.uri ?? '')?.[1]
    const stored = id === undefined ? undefined : this.#media.find(id)
    if (stored === undefined) return block
    const data = await readFile(stored.path, 'base64')
    return { type: 'image', mimeType: stored.mimeType, data }
  }
}
