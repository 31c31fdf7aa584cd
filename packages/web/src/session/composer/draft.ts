// What was written but not sent, kept for each session in this browser until the hub has it.
import type { FileMention, PromptPart } from '@quayside/client'
import { Store, useStore } from '../../shared/store.js'
import { readPastedTexts, withPastedTexts, type PastedText } from './pasted-texts.js'
import { readLineComments, withLineComments, type LineComment } from './line-comments.js'

export type Attachment = {
  readonly id: string
  readonly name: string
  readonly mimeType: string
  /** How it looks, from this browser's memory. */
  readonly preview: string
  /** Where the hub keeps it; undefined while it is being uploaded. */
  readonly url: string | undefined
}

export type Underway = { readonly text: string; readonly takeBack: () => void }

/** Hands a message over; aborting gives it up while it has not arrived. */
export type Send = (
  text: string,
  attached: readonly PromptPart[],
  signal: AbortSignal,
) => Promise<void>

export class Draft {
  readonly text: Store<string>
  readonly attachments: Store<readonly Attachment[]>
  /** What was sent and has not arrived yet. */
  readonly underway = new Store<Underway | undefined>(undefined)
  /** On lines of changes; they go before the text. */
  readonly comments: Store<readonly LineComment[]>
  /** Long texts; they go after the text. */
  readonly pasted: Store<readonly PastedText[]>
  /** Files of the repository that were chosen for the text. */
  readonly files = new Set<string>()
  readonly #name: string

  constructor(key: string) {
    this.#name = `quayside.draft.${key}`
    this.text = new Store(localStorage.getItem(this.#name) ?? '')
    this.attachments = new Store(readAttachments(localStorage.getItem(this.#attachmentsName)))
    this.comments = new Store(readLineComments(localStorage.getItem(this.#commentsName)))
    this.pasted = new Store(readPastedTexts(localStorage.getItem(this.#pastedName)))
  }

  write(text: string): void {
    this.text.set(text)
    this.#keep(text)
  }

  setComments(comments: readonly LineComment[]): void {
    this.comments.set(comments)
    keepList(this.#commentsName, comments)
  }

  /** What the hub has is kept; what is being uploaded is there until the page is left. */
  setAttachments(attachments: readonly Attachment[]): void {
    this.attachments.set(attachments)
    const uploaded = attachments.flatMap(({ id, name, mimeType, url }) =>
      url === undefined ? [] : [{ id, name, mimeType, url }],
    )
    keepList(this.#attachmentsName, uploaded)
  }

  setPasted(pasted: readonly PastedText[]): void {
    this.pasted.set(pasted)
    keepList(this.#pastedName, pasted)
  }

  /**
   * Empties the field and hands out what was in it. It stays in the browser until `send` has resolved, and is put back when
   * that rejects, before whatever was written meanwhile.
   */
  async sendWith(send: Send): Promise<void> {
    const text = this.text.get()
    const attachments = this.attachments.get()
    const comments = this.comments.get()
    const pasted = this.pasted.get()
    const attached = [...this.#mentions(text), ...attachments.flatMap(imageOf)]
    this.text.set('')
    this.attachments.set([])
    this.comments.set([])
    this.pasted.set([])
    const whole = withLineComments(comments, withPastedTexts(text, pasted))
    const abort = new AbortController()
    this.underway.set({ text, takeBack: () => abort.abort() })
    try {
      const sent = send(whole, attached, abort.signal)
      await Promise.race([sent, onAbort(abort.signal)])
      this.files.clear()
      this.#keep(this.text.get())
      this.setAttachments(this.attachments.get())
      this.setComments(this.comments.get())
      this.setPasted(this.pasted.get())
    } catch (error) {
      this.setAttachments([...attachments, ...this.attachments.get()])
      this.setComments([...comments, ...this.comments.get()])
      this.setPasted([...pasted, ...this.pasted.get()])
      const meanwhile = this.text.get()
      this.write(meanwhile === '' ? text : `${text}\n${meanwhile}`)
      if (!abort.signal.aborted) throw error
    } finally {
      this.underway.set(undefined)
    }
  }

  #mentions(text: string): FileMention[] {
    const mentioned = [...this.files].filter((path) => text.includes(`@${path}`))
    return mentioned.map((path) => ({ type: 'file', path }))
  }

  get #commentsName(): string {
    return `${this.#name}.comments`
  }

  get #attachmentsName(): string {
    return `${this.#name}.attachments`
  }

  get #pastedName(): string {
    return `${this.#name}.pasted`
  }

  #keep(text: string): void {
    if (text === '') localStorage.removeItem(this.#name)
    else localStorage.setItem(this.#name, text)
  }
}

/** What was kept by another version of the app may have another shape, and names only what the hub has. */
function readAttachments(kept: string | null): readonly Attachment[] {
  try {
    const attachments: unknown = JSON.parse(kept ?? '[]')
    if (!Array.isArray(attachments)) return []
    return attachments.flatMap((one: Partial<Attachment> | null) => {
      const { id, name, mimeType, url } = one ?? {}
      const isWhole = id !== undefined && name !== undefined && mimeType !== undefined
      return isWhole && url?.startsWith('/media/')
        ? [{ id, name, mimeType, url, preview: url }]
        : []
    })
  } catch {
    return []
  }
}

function keepList(name: string, list: readonly object[]): void {
  try {
    if (list.length === 0) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(list))
  } catch {
    // More than the browser keeps: it is there until the page is left.
  }
}

const drafts = new Map<string, Draft>()

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

/** What is sent: the text, if there is any, and what was attached to it. */
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
