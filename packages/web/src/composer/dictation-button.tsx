// Dictation by the browser's own speech recognition, where it has one. Finished phrases are appended to the draft.
import { useEffect, useRef, useState } from 'react'
import type { Draft } from '../drafts/draft.js'
import { Icon } from '../shared/controls/icon.js'
import { showToast } from '../shared/controls/toasts.js'
import { locale } from '../shared/text/language.js'
import { strings } from '../strings/strings.js'

const words = strings.session

/** The part of the Web Speech API that is used; TypeScript's own types have only its results. */
type Recognition = EventTarget & {
  lang: string
  continuous: boolean
  start(): void
  stop(): void
  abort(): void
}
type RecognitionClass = new () => Recognition
type ResultEvent = Event & {
  readonly resultIndex: number
  readonly results: SpeechRecognitionResultList
}

/** Silence and a stop by the person are no problems. */
const EXPECTED: ReadonlySet<string> = new Set(['no-speech', 'aborted'])

export function DictationButton({ draft }: { readonly draft: Draft }) {
  const [isListening, setListening] = useState(false)
  const running = useRef<Recognition | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const Speech = speechRecognition()
  if (!Speech) return null

  function begin(Speech: RecognitionClass) {
    const recognition = new Speech()
    running.current = recognition
    recognition.lang = locale
    recognition.continuous = true
    recognition.addEventListener('result', (event) => addSpoken(draft, event as ResultEvent))
    recognition.addEventListener('error', (event) => {
      const { error = '' } = event as Event & { readonly error?: string }
      if (!EXPECTED.has(error)) showToast({ text: words.dictationProblem(error) })
    })
    recognition.addEventListener('end', () => setListening(false))
    recognition.start()
    setListening(true)
  }

  const label = isListening ? words.stopDictation : words.dictate
  return (
    <button
      type="button"
      className="pick icon-only"
      data-testid="dictate"
      aria-pressed={isListening}
      aria-label={label}
      title={label}
      onClick={() => (isListening ? running.current?.stop() : begin(Speech))}
    >
      <Icon name="microphone" />
    </button>
  )
}

function addSpoken(draft: Draft, { results, resultIndex }: ResultEvent): void {
  for (const result of [...results].slice(resultIndex)) {
    const phrase = result.isFinal ? (result[0]?.transcript.trim() ?? '') : ''
    const before = draft.text.get()
    const space = before === '' || /\s$/.test(before) ? '' : ' '
    if (phrase !== '') draft.write(`${before}${space}${phrase}`)
  }
}

function speechRecognition(): RecognitionClass | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: RecognitionClass
    webkitSpeechRecognition?: RecognitionClass
  }
  return SpeechRecognition ?? webkitSpeechRecognition
}
