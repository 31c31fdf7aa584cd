// The texts of forks in the language of the page. Apart from the catalogue, which the first page waits for.
import { language } from '../../shared/text/language.js'
import { fork as german } from '../../strings/de/fork.js'
import { fork as english } from '../../strings/en/fork.js'

export const forkWords = language === 'de' ? german : english
