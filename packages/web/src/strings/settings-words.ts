// The texts of the settings' own pages in the language of the page. Apart from the catalogue, which the first page waits for.
import { language } from '../shared/text/language.js'
import { settingsPages as german } from './de/settings-pages.js'
import { settingsPages as english } from './en/settings-pages.js'

export const settingsWords = language === 'de' ? german : english
