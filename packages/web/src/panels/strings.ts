// All words of the side panels.
import type { PanelTab } from './panel-state.js'

const number = new Intl.NumberFormat('en')
const plurals = new Intl.PluralRules('en')

export const TAB_NAMES: Readonly<Record<PanelTab, string>> = {
  changes: 'Changes',
  terminals: 'Terminals',
  files: 'Files',
  wire: 'Wire',
}

export const words = {
  panel: 'Session panels',
  openPanel: 'Open the side panel',
  closePanel: 'Close the side panel',
  back: 'Back to the conversation',
  width: 'Width of the side panel',
  loading: 'Loading…',
  tryAgain: 'Try again',
  refresh: 'Refresh',
  copy: 'Copy',
  copied: 'Copied',
  copyPath: 'Copy path',
  cancel: 'Cancel',
  dismiss: 'Dismiss',

  changesTitle: 'Since this session began',
  changedFiles: 'Changed files',
  noChanges: 'No changes yet. Files that change in this repository show up here.',
  changesGone:
    'The repository as it was when this session began is no longer kept, so there is nothing to compare with.',
  dirty: 'This repository had other uncommitted changes; they are not listed here.',
  listCut: (shown: number, total: number) =>
    `The first ${number.format(shown)} of ${number.format(total)} files.`,
  allFiles: 'All files',
  openFile: 'Open file',
  diffOf: (path: string) => `Diff of ${path}`,
  renamedFrom: (path: string) => `Was ${path}`,
  binary: 'A binary file; there are no lines to compare.',
  large: 'This file is too large to compare line by line.',
  submodule: 'Another commit of a submodule is checked out.',
  tooLong: 'This diff is too long to show.',
  sameNow: 'This file is as it was when the session began.',
  statusNames: { A: 'Added', M: 'Modified', D: 'Deleted', R: 'Renamed' },
  moreCharacters: (count: number) => `… ${number.format(count)} more characters`,

  newTerminal: 'New terminal',
  openTerminal: 'Open a terminal',
  terminalGone: 'This terminal is gone. It was closed, or its program ended a while ago.',
  xtermOff: 'Terminals are switched off for this browser, in Settings › General.',
  noTerminals: 'No terminals yet.',
  terminalsLast: 'A terminal works in this repository and keeps running when you close this page.',
  terminalTabs: 'Terminals of this repository',
  closeTerminal: 'Close terminal',
  closeQuestion: 'Close this terminal? Everything that runs in it is ended.',
  keepTerminal: 'Keep it',
  exited: (code: number | null, signal: string | null) =>
    signal ? `Ended by ${signal}` : code === null ? 'Ended' : `Ended with exit code ${code}`,
  ended: 'ended',
  skipped: (bytes: number) => `${size(bytes)} of earlier output are no longer kept.`,
  pasteQuestion: (lines: number) => `Paste ${count(lines, 'line')}? A shell may run them at once.`,
  paste: 'Paste',
  linkQuestion: 'A program in this terminal offers a link:',
  openLink: 'Open link',
  notTyped: 'Not typed: the hub cannot be reached.',
  helperKeys: 'Keys that a phone does not have',
  keys: { up: 'Up', down: 'Down', left: 'Left', right: 'Right' },

  findFile: 'Find a file',
  findHint: 'Letters of its path',
  recent: 'Opened before',
  repoFiles: 'In this repository',
  found: (shown: number, total: number) =>
    `${number.format(shown)} of ${number.format(total)} files`,
  noFile: (letters: string) => `No file matches “${letters}”.`,
  noFiles: 'This repository has no files.',
  binaryFile: (bytes: number) => `A binary file of ${size(bytes)}. There is nothing to read in it.`,
  largeFile: (bytes: number) => `A file of ${size(bytes)}, too large to show here.`,
  emptyFile: 'This file is empty.',
  contentOf: (path: string) => `Content of ${path}`,
  gitNames: {
    M: 'Modified',
    A: 'Added',
    D: 'Deleted',
    R: 'Renamed',
    C: 'Copied',
    T: 'Other type',
    U: 'Conflict',
    '?': 'Untracked',
  } as Readonly<Record<string, string>>,

  wireEmpty: 'Messages between the hub and the agent appear here.',
  wireNone: 'No message fits the filter.',
  wireList: 'Messages between the hub and the agent',
  wireNote: 'Secrets are replaced by [redacted] before anything is kept.',
  direction: 'Direction',
  directions: { all: 'Both ways', in: 'From the agent', out: 'To the agent', stderr: 'Errors' },
  directionNames: { in: 'from the agent', out: 'to the agent', stderr: 'stderr of the agent' },
  method: 'Method',
  anyMethod: 'Any method',
  filter: 'Filter messages',
  pause: 'Pause',
  resume: 'Resume',
  download: 'Download',
  cut: 'Only the beginning of this message was kept.',
  showAnswer: 'Show the answer',
  showRequest: 'Show the request',
  answerTo: (method: string) => `result ${method}`,
  errorTo: (method: string) => `error ${method}`,
  unknownRequest: 'of a request',
} as const

export function count(amount: number, noun: string): string {
  const isOne = plurals.select(amount) === 'one'
  return `${number.format(amount)} ${noun}${isOne ? '' : 's'}`
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
