// The texts of undo and redo of a turn.
import { count } from '../../shared/text/plural.js'
import type { undo as english } from '../en/undo.js'
import type { Words } from '../en/words.js'

export const undo: Words<typeof english> = {
  undoTurn: 'Runde rückgängig machen',
  isUndone: 'Rückgängig gemacht',
  afterTurn: 'Möglich, wenn die laufende Runde beendet ist',
  about:
    'Diese Dateien werden wieder so, wie sie vor dieser Runde waren. Andere Dateien bleiben unberührt, und du kannst es wiederholen.',
  changes: 'Änderungen dieser Runde',
  noFiles: 'Diese Runde hat keine Dateien geändert.',
  noLines: 'Keine Zeile hat sich geändert.',
  undo: 'Rückgängig machen',
  redo: 'Wiederholen',
  undone: (files: number, prompt: string | undefined) =>
    `Rückgängig gemacht${prompt === undefined ? '' : `: „${prompt}“`}. ${count(files, 'Datei ist', 'Dateien sind')} wie vor dieser Runde.`,
  redone: (files: number, prompt: string | undefined) =>
    `Wiederholt${prompt === undefined ? '' : `: „${prompt}“`}. ${count(files, 'Datei ist', 'Dateien sind')} wie nach dieser Runde.`,
  nothingToDo: 'Die Dateien sind schon wie vor dieser Runde.',
  left: 'Unverändert bleiben:',
  moreFiles: (files: number) => `und ${count(files, 'weitere Datei', 'weitere Dateien')}`,
  changedSince:
    'Diese Dateien hat seitdem jemand geändert. Wenn du alle wiederherstellst, wird ihr jetziger Inhalt ersetzt.',
  changedFiles: 'Seitdem geändert',
  restoreOthers: 'Die anderen wiederherstellen',
  restoreAll: 'Alle wiederherstellen',
}
