// Every text of the page that a person reads, in the language of the page; strings/ has a catalogue for each.
import { language } from '../shared/text/language.js'
import { english } from './en.js'
import type { Words } from './en/words.js'

export type Strings = Words<typeof english>

export const strings: Strings = language === 'de' ? await inGerman() : english

/** Loaded only by those who read it. A page in English is better than none. */
async function inGerman(): Promise<Strings> {
  try {
    return (await import('./de.js')).german
  } catch {
    document.documentElement.lang = 'en'
    return english
  }
}
