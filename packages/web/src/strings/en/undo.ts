// The texts of undo and redo of a turn.
import { count } from '../../shared/text/plural.js'

export const undo = {
  undoTurn: 'Undo this turn',
  isUndone: 'Undone',
  afterTurn: 'Possible when the running turn has ended',
  about:
    'These files go back to what they were before this turn. Other files are not touched, and you can redo it.',
  changes: 'Changes of this turn',
  noFiles: 'This turn changed no files.',
  noLines: 'No lines have changed.',
  undo: 'Undo',
  redo: 'Redo',
  undone: (files: number, prompt: string | undefined) =>
    `Undone${prompt === undefined ? '' : ` “${prompt}”`}: ${count(files, 'file is', 'files are')} as before that turn.`,
  redone: (files: number, prompt: string | undefined) =>
    `Redone${prompt === undefined ? '' : ` “${prompt}”`}: ${count(files, 'file is', 'files are')} as after that turn.`,
  nothingToDo: 'The files are already as before this turn.',
  left: 'Left as they are:',
  moreFiles: (files: number) => `and ${count(files, 'other file', 'other files')}`,
  changedSince:
    'Someone has changed these files since. If you restore all, their present content is replaced.',
  changedFiles: 'Changed since',
  restoreOthers: 'Restore the other files',
  restoreAll: 'Restore all',
}
