// The draft of each session: a message that was written and has not reached the hub. Kept in this browser.
import type { FileMention, PromptPart } from '@quayside/client'
import { newId } from '../shared/new-id.js'
import { Store, useStore } from '../shared/store.js'
import { readPastedTexts, withPastedTexts, type PastedText } from './pasted-texts.js'
import { readLineComments, withLineComments, type LineComment } from './line-comments.js'

export type Attachment = {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  /** A preview from this browser's memory. */
  readonly preview: string
  /** Its address on the hub; undefined during the upload. */
  readonly url: string | undefined
}

/** Content that another site or app brought, by a link or by sharing. Only a person makes it their own. */
export type Foreign = { readonly source: 'link' | 'share'; readonly text: string }

export type ForeignOffer = Foreign & { readonly pictures: readonly File[] }

/** The content of a message. */
type Written = {
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly comments: readonly LineComment[]
  readonly pasted: readonly PastedText[]
  readonly files: readonly string[]
  /** The text began as this one. */
  readonly foreign: Foreign | undefined
}

/** A message on its way to the hub. */
export type Underway = Written & { readonly id: string; readonly takeBack: () => void }

/** Sends a message. Aborting withdraws it if it has not arrived. */
export type Send = (
  text: string,
  attached: readonly PromptPart[],
  signal: AbortSignal,
) => Promise<void>

const PREFIX = 'quayside.draft.'

export class Draft {
  readonly text: Store<string>
  readonly attachments: Store<readonly Attachment[]>
  /** Comments on changed lines; sent before the text. */
  readonly comments: Store<readonly LineComment[]>
  /** Long pasted texts; sent after the text. */
  readonly pasted: Store<readonly PastedText[]>
  readonly underway = new Store<readonly Underway[]>([])
  /** The text began as this foreign one. */
  readonly foreign: Store<Foreign | undefined>
  /** Foreign content that waits, because there is a draft already. */
  readonly offered = new Store<ForeignOffer | undefined>(undefined)
  readonly #key: string
  /** Repository files that were chosen while writing the text. */
  #files: readonly string[]

  constructor(key: string) {
    this.#key = `${PREFIX}${key}`
    this.text = new Store(kept(this.#key) ?? '')
    this.attachments = new Store(readAttachments(this.#keptList('attachments')))
    this.comments = new Store(readLineComments(this.#keptList('comments')))
    this.pasted = new Store(readPastedTexts(this.#keptList('pasted')))
    this.foreign = new Store(readForeign(this.#keptList('foreign')[0]))
    this.#files = this.#keptList('files').filter((path) => typeof path === 'string')
    // Messages of an earlier page that did not arrive before it closed.
    for (const left of readUnderway(this.#keptList('underway')).toReversed()) this.#putBack(left)
    this.#keepUnderway()
  }

  write(text: string): void {
    this.text.set(text)
    keep(this.#key, text)
    if (text === '') this.#setForeign(undefined)
  }

  /** Foreign content fills an empty draft and never changes another one. True when it became the draft. */
  receive(offer: ForeignOffer): boolean {
    // After a reload the link is in the address still.
    if (offer.source === 'link' && this.foreign.get()?.text === offer.text) return false
    const { text, attachments, comments, pasted } = this.#written()
    const isEmpty = [text.trim(), attachments, comments, pasted].every(({ length }) => length === 0)
    if (isEmpty) this.replaceWith(offer)
    else this.offered.set(offer)
    return isEmpty
  }

  /** Replaces the draft with the offered content. */
  replaceWith({ source, text }: ForeignOffer): void {
    this.offered.set(undefined)
    this.#setWritten({ ...NOTHING, text, foreign: { source, text } })
  }

  /** Appends to the current text. */
  add(text: string): void {
    const before = this.text.get()
    this.write(before === '' ? text : `${before}\n${text}`)
  }

  setComments(comments: readonly LineComment[]): void {
    this.comments.set(comments)
    this.#keepList('comments', comments)
  }

  /** Uploaded pictures are stored; pictures in upload last until the page closes. */
  setAttachments(attachments: readonly Attachment[]): void {
    this.attachments.set(attachments)
    this.#keepList('attachments', attachments.filter(isUploaded).map(withoutPreview))
  }

  setPasted(pasted: readonly PastedText[]): void {
    this.pasted.set(pasted)
    this.#keepList('pasted', pasted)
  }

  addFile(path: string): void {
    this.#setFiles([...this.#files, path])
  }

  /**
   * Empties the field and sends its content. The browser keeps the content until `send` resolves, and restores it
   * before any newer text when `send` rejects.
   */
  async sendWith(send: Send): Promise<void> {
    const abort = new AbortController()
    const message = { ...this.#written(), id: newId(), takeBack: () => abort.abort() }
    this.underway.set([...this.underway.get(), message])
    this.#keepUnderway()
    this.#setWritten(NOTHING)
    try {
      const sent = send(wholeText(message), attachedTo(message), abort.signal)
      await Promise.race([sent, onAbort(abort.signal)])
    } catch (error) {
      this.#putBack(message)
      if (!abort.signal.aborted) throw error
    } finally {
      this.underway.set(this.underway.get().filter((one) => one !== message))
      this.#keepUnderway()
    }
  }

  /** Another tab changed or sent the draft. Content that only this tab has is kept. */
  follow({ key, oldValue, newValue }: StorageEvent): void {
    if (key === this.#key && this.text.get() === (oldValue ?? '')) this.text.set(newValue ?? '')
  }

  #written(): Written {
    const [text, attachments] = [this.text.get(), this.attachments.get()]
    const [comments, pasted] = [this.comments.get(), this.pasted.get()]
    return { text, attachments, comments, pasted, files: this.#files, foreign: this.foreign.get() }
  }

  #setWritten({ text, attachments, comments, pasted, files, foreign }: Written): void {
    this.write(text)
    this.#setForeign(foreign)
    this.setAttachments(attachments)
    this.setComments(comments)
    this.setPasted(pasted)
    this.#setFiles(files)
  }

  #putBack(message: Written): void {
    const now = this.#written()
    this.#setWritten({
      text: [message.text, now.text].filter((text) => text !== '').join('\n'),
      attachments: [...message.attachments, ...now.attachments],
      comments: [...message.comments, ...now.comments],
      pasted: [...message.pasted, ...now.pasted],
      files: [...message.files, ...now.files],
      foreign: message.foreign ?? now.foreign,
    })
  }

  #setForeign(foreign: Foreign | undefined): void {
    this.foreign.set(foreign)
    this.#keepList('foreign', foreign === undefined ? [] : [foreign])
  }

  #setFiles(files: readonly string[]): void {
    this.#files = files
    this.#keepList('files', files)
  }

  #keepUnderway(): void {
    const messages = this.underway.get().map((message) => ({
      ...message,
      attachments: message.attachments.map(withoutPreview),
    }))
    this.#keepList('underway', messages)
  }

  #keptList(part: string): readonly unknown[] {
    try {
      const list: unknown = JSON.parse(kept(`${this.#key}.${part}`) ?? '[]')
      return Array.isArray(list) ? list : []
    } catch {
      return []
    }
  }

  #keepList(part: string, list: readonly unknown[]): void {
    keep(`${this.#key}.${part}`, list.length === 0 ? '' : JSON.stringify(list))
  }
}

const NOTHING: Written = {
  text: '',
  attachments: [],
  comments: [],
  pasted: [],
  files: [],
  foreign: undefined,
}

function wholeText({ text, comments, pasted }: Written): string {
  return withLineComments(comments, withPastedTexts(text, pasted))
}

/** The files that the text still mentions, and the pictures. */
function attachedTo({ text, files, attachments }: Written): PromptPart[] {
  const named = [...new Set(files)].filter((path) => text.includes(`@${path}`))
  const mentions: FileMention[] = named.map((path) => ({ type: 'file', path }))
  return [...mentions, ...attachments.flatMap(imageOf)]
}

function isUploaded({ url }: Attachment): boolean {
  return url !== undefined
}

function withoutPreview({ id, name, mimeType, url }: Attachment) {
  return { id, name, mimeType, url }
}

/** Reads a stored draft, which another version of the app may have written in another format. */
function readAttachments(list: readonly unknown[]): readonly Attachment[] {
  return list.flatMap((one) => {
    const { id, name, mimeType, url } = Object(one) as Partial<Attachment>
    const isWhole = id !== undefined && name !== undefined && mimeType !== undefined
    return isWhole && url?.startsWith('/media/') ? [{ id, name, mimeType, url, preview: url }] : []
  })
}

function readUnderway(list: readonly unknown[]): readonly Written[] {
  return list.map((one) => {
    const { text, attachments, comments, pasted, files, foreign } = Object(one) as Partial<Written>
    return {
      text: typeof text === 'string' ? text : '',
      attachments: readAttachments(attachments ?? []),
      comments: readLineComments(comments ?? []),
      pasted: readPastedTexts(pasted ?? []),
      files: files ?? [],
      foreign: readForeign(foreign),
    }
  })
}

function readForeign(value: unknown): Foreign | undefined {
  const { source, text } = Object(value) as Partial<Foreign>
  return source !== undefined && text !== undefined ? { source, text } : undefined
}

function kept(name: string): string | null {
  return localStorage.getItem(name)
}

let isForgotten = false

function keep(name: string, text: string): void {
  if (isForgotten) return
  try {
    if (text === '') localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // The storage is full: the draft lasts until the page closes.
  }
}

/** At the sign-out: the next person at this browser must not read them. Messages that fail from now on are not kept either. */
export function forgetDrafts(): void {
  isForgotten = true
  const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX))
  for (const name of names) localStorage.removeItem(name)
}

const drafts = new Map<string, Draft>()

addEventListener('storage', (event) => drafts.forEach((draft) => draft.follow(event)))

export function draftOf(key: string): Draft {
  const draft = drafts.get(key) ?? new Draft(key)
  drafts.set(key, draft)
  return draft
}

function onAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The blocks of the prompt: the text, if any, and the attachments. */
export function inputOf(text: string, attached: readonly PromptPart[]): readonly PromptPart[] {
  return text.trim() === '' ? attached : [text, ...attached]
}

export function useDraft(draft: Draft) {
  const text = useStore(draft.text)
  const attachments = useStore(draft.attachments)
  const comments = useStore(draft.comments)
  const pasted = useStore(draft.pasted)
  const isEmpty =
    text.trim() === '' && [attachments, comments, pasted].every(({ length }) => length === 0)
  return { text, attachments, isEmpty }
}

function imageOf({ mimeType, url }: Attachment): PromptPart[] {
  return url === undefined ? [] : [{ type: 'image', mimeType, uri: url }]
}
