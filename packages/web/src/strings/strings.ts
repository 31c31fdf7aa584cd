// The texts of the page in its language; strings/ has one catalogue per language.
import { language } from '../shared/text/language.js'
import { english } from './en.js'
import type { Words } from './en/words.js'

export type Strings = Words<typeof english>

export const strings: Strings = language === 'de' ? await loadGerman() : english

/** Loaded for German readers only. English is the fallback when it cannot be loaded. */
async function loadGerman(): Promise<Strings> {
  try {
    return (await import('./de.js')).german
  } catch {
    document.documentElement.lang = 'en'
    return english
  }
}
