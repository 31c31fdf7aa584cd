// The texts of the page in its language; strings/ has one catalogue per language.
import { language } from '../shared/text/language.js'
import { english } from './en.js'
import type { Words } from './en/words.js'

export type Strings = Words<typeof english>

const german = language === 'de' ? await loadGerman() : undefined

export const strings: Strings = german?.german ?? english

/** A sentence of the hub, which writes English, in the language of the page. */
export const hubSentence: (text: string) => string = german?.inGerman ?? ((text) => text)

/** Loaded for German readers only. English is the fallback when it cannot be loaded. */
async function loadGerman() {
  try {
    return await import('./de.js')
  } catch {
    document.documentElement.lang = 'en'
    return undefined
  }
}
