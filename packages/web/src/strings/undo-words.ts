// The texts of undo and redo in the language of the page. Apart from the catalogue, which the first page waits for.
import { language } from '../shared/text/language.js'
import { undo as german } from './de/undo.js'
import { undo as english } from './en/undo.js'

export const undoWords = language === 'de' ? german : english
