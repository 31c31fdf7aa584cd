// Offloads media from prompts before they are stored, and restores the original prompt for the agent.
import { readFile } from 'node:fs/promises'
import type { ContentBlock } from '@quayside/protocol'
import { HubError } from '../../errors.js'
import { type MaybePromise, whenReady } from '../../store/maybe-promise.js'
import type { MediaStore } from '../../store/media.js'
import type { PutMedia } from './data-uri-offloader.js'
import { offloadMedia } from './offload-media.js'

type Note = { readonly prompt?: unknown }

export class PromptMedia {
  readonly #media: Pick<MediaStore, 'findByUrl'>
  readonly #put: PutMedia

  constructor(media: Pick<MediaStore, 'findByUrl'>, put: PutMedia) {
    this.#media = media
    this.#put = put
  }

  /**
   * Returns the prompt as it is stored and shown. When something was offloaded, `_meta.quayside.prompt` of the first block
   * refers to the whole prompt. Throws `file_unreadable` for a picture that does not exist.
   */
  offload(prompt: readonly ContentBlock[]): MaybePromise<readonly ContentBlock[]> {
    let checked: MaybePromise<void> = undefined
    for (const block of prompt) checked = whenReady(checked, () => this.#requirePicture(block))
    return whenReady(checked, () => this.#offload(prompt))
  }

  #offload(prompt: readonly ContentBlock[]): readonly ContentBlock[] {
    const small = offloadMedia({ prompt }, this.#put).prompt
    // A reference that the sender wrote is part of the prompt, not ours.
    if (small === prompt && noteOf(prompt[0]) === undefined) return prompt
    const whole = this.#put('application/json', Buffer.from(JSON.stringify(prompt)))
    const [first = { type: 'text', text: `[… a long prompt: ${whole}]` } as const, ...rest] = small
    const quayside = { ...noteOf(first), prompt: whole }
    return [{ ...first, _meta: { ...first['_meta'], quayside } }, ...rest]
  }

  /** Returns the prompt as the agent gets it: with everything that was offloaded, and with the bytes of uploads. */
  async restore(prompt: readonly ContentBlock[]): Promise<ContentBlock[]> {
    const whole = await this.#media.findByUrl(noteOf(prompt[0])?.prompt)
    const sent = whole
      ? (JSON.parse(await readFile(whole.path, 'utf8')) as readonly ContentBlock[])
      : prompt
    return Promise.all(sent.map((block) => this.#fill(block)))
  }

  /** An agent cannot use a picture without its bytes. */
  #requirePicture(block: ContentBlock): MaybePromise<void> {
    if (block.type !== 'image' || block.data) return undefined
    return whenReady(this.#media.findByUrl(block.uri), (stored) => {
      if (stored?.mimeType.startsWith('image/')) return
      throw new HubError('file_unreadable', {
        message: 'A picture is sent with its data, or uploaded first: POST /api/media.',
        uri: block.uri,
      })
    })
  }

  async #fill(block: ContentBlock): Promise<ContentBlock> {
    if (block.type !== 'image' || block.data) return block
    const stored = await this.#media.findByUrl(block.uri)
    if (stored === undefined) return block
    const data = await readFile(stored.path, 'base64')
    return { type: 'image', mimeType: stored.mimeType, data }
  }
}

function noteOf(block: ContentBlock | undefined): Note | undefined {
  const note = block?.['_meta']?.['quayside']
  return typeof note === 'object' && note !== null ? note : undefined
}
