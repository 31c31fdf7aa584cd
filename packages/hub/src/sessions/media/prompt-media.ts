// Prompts with pictures, files or long texts: light in the log, and for the agent exactly what the person sent.
import { readFile } from 'node:fs/promises'
import type { ContentBlock } from '@quayside/protocol'
import { HubError } from '../../errors.js'
import type { MediaStore } from '../../store/media.js'
import type { PutMedia } from './data-uris.js'
import { takeMediaOut } from './update-media.js'

type Note = { readonly prompt?: unknown }

export class PromptMedia {
  readonly #media: Pick<MediaStore, 'findByUrl'>
  readonly #put: PutMedia

  constructor(media: Pick<MediaStore, 'findByUrl'>, put: PutMedia) {
    this.#media = media
    this.#put = put
  }

  /**
   * As it is stored and shown. When that is less than was sent, the first block refers to all of it in `_meta.quayside.prompt`.
   * Throws `file_unreadable` for a picture that is not there.
   */
  takeOut(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    for (const block of prompt) this.#requirePicture(block)
    const light = takeMediaOut({ prompt }, this.#put).prompt
    // A reference that the sender wrote is not ours: it is a part of what was sent.
    if (light === prompt && noteOf(prompt[0]) === undefined) return prompt
    const whole = this.#put('application/json', Buffer.from(JSON.stringify(prompt)))
    const [first = { type: 'text', text: `[… a long prompt: ${whole}]` } as const, ...rest] = light
    const quayside = { ...noteOf(first), prompt: whole }
    return [{ ...first, _meta: { ...first['_meta'], quayside } }, ...rest]
  }

  /** As the agent gets it: what was taken out is back, and uploads come with their bytes. */
  async putBack(prompt: readonly ContentBlock[]): Promise<ContentBlock[]> {
    const whole = this.#media.findByUrl(noteOf(prompt[0])?.prompt)
    const sent = whole
      ? (JSON.parse(await readFile(whole.path, 'utf8')) as readonly ContentBlock[])
      : prompt
    return Promise.all(sent.map((block) => this.#fill(block)))
  }

  /** No agent could do anything with one without its bytes. */
  #requirePicture(block: ContentBlock): void {
    if (block.type !== 'image' || block.data || this.#media.findByUrl(block.uri)) return
    throw new HubError('file_unreadable', {
      message: 'A picture is sent with its data, or uploaded first: POST /api/media.',
      uri: block.uri,
    })
  }

  async #fill(block: ContentBlock): Promise<ContentBlock> {
    if (block.type !== 'image' || block.data) return block
    const stored = this.#media.findByUrl(block.uri)
    if (stored === undefined) return block
    const data = await readFile(stored.path, 'base64')
    return { type: 'image', mimeType: stored.mimeType, data }
  }
}

function noteOf(block: ContentBlock | undefined): Note | undefined {
  const note = block?.['_meta']?.['quayside']
  return typeof note === 'object' && note !== null ? note : undefined
}
