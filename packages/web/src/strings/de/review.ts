// The texts of a review: changed lines and comments.
import { count } from '../../shared/text/plural.js'
import type { review as english } from '../en/review.js'
import type { Words } from '../en/words.js'

export const review: Words<typeof english> = {
  scope: 'Änderungen seit',
  scopes: { turn: 'Diese Runde', session: 'Diese Sitzung', tree: 'Arbeitsverzeichnis' },
  lines: 'Geänderte Zeilen',
  view: 'Ansicht',
  split: 'Nebeneinander',
  wrap: 'Zeilen umbrechen',
  viewed: 'Gesehen',
  viewedOf: (viewed: number, all: number) => `${viewed} von ${all} gesehen`,
  fold: (path: string) => `${path} einklappen`,
  unfold: (path: string) => `${path} ausklappen`,
  largeDiff: (lines: number) => `Großer Diff (${count(lines, 'Zeile', 'Zeilen')}).`,
  largePatch: (size: string) => `Großer Diff (${size}).`,
  load: 'Laden',
  notLoaded: 'Nicht geladen.',
  leftOut: (lines: number) => `${count(lines, 'unveränderte Zeile', 'unveränderte Zeilen')} zeigen`,
  leftOutToEnd: 'Rest der Datei zeigen',
  selectLine: (line: number) => `Zeile ${line} auswählen`,
  removed: 'entfernt',
  added: 'hinzugefügt',
  comment: 'Kommentieren',
  commentOn: (location: string) => `Kommentar zu ${location}`,
  commentHint: 'Was soll der Agent über diese Zeilen wissen?',
  addComment: 'Kommentar hinzufügen',
  removeComment: (location: string) => `Kommentar zu ${location} entfernen`,
  comments: 'Kommentare, die mit der Nachricht gesendet werden',
  goesWithMessage: 'Wird mit der nächsten Nachricht gesendet.',
  keys: 'j k Zeilen · n p Dateien · v gesehen · c kommentieren',
}
