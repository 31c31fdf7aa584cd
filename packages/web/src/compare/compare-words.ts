// The texts of comparisons in the language of the page. Apart from the catalogue, which the first page waits for.
import { language } from '../shared/text/language.js'
import { compare as german } from '../strings/de/compare.js'
import { compare as english } from '../strings/en/compare.js'

export const compareWords = language === 'de' ? german : english
