// The texts of the panels beside a session.
import { count, inDigits } from '../../shared/plural.js'
import { bytes } from '../../shared/sizes.js'
import type { panels as english } from '../en/panels.js'
import type { Words } from '../words.js'

export const panels: Words<typeof english> = {
  tabs: { changes: 'Änderungen', terminals: 'Terminals', files: 'Dateien', wire: 'Rohdaten' },
  panel: 'Bereiche der Sitzung',
  openPanel: 'Seitenbereich öffnen',
  closePanel: 'Seitenbereich schließen',
  back: 'Zurück zum Gespräch',
  width: 'Breite des Seitenbereichs',
  wide: 'Anstelle des Gesprächs',
  openChanges: (files: number, added: number, removed: number) =>
    `${count(files, 'Datei', 'Dateien')} geändert: ${inDigits(added)} Zeilen hinzugefügt, ${inDigits(removed)} entfernt`,
  refresh: 'Aktualisieren',
  copyPath: 'Pfad kopieren',
  dismiss: 'Ausblenden',

  changedFiles: 'Geänderte Dateien',
  nothingChanged: {
    turn: 'Seit dem Beginn dieses Durchgangs hat sich nichts geändert.',
    session:
      'Noch keine Änderungen. Dateien, die sich in diesem Repository ändern, erscheinen hier.',
    tree: 'In diesem Repository ist alles wie im letzten Commit.',
  },
  noTurn:
    'Noch kein Durchgang hat begonnen. Was sich ab deiner nächsten Nachricht ändert, erscheint hier.',
  turnGone:
    'Der Stand des Repositorys vom Beginn dieses Durchgangs wurde nicht gespeichert; es gibt nichts zu vergleichen.',
  changesGone:
    'Der Stand des Repositorys vom Beginn dieser Sitzung ist nicht mehr gespeichert; es gibt nichts zu vergleichen.',
  dirty:
    'Dieses Repository hatte schon andere Änderungen ohne Commit; sie sind hier nicht aufgeführt.',
  listCut: (shown: number, total: number) =>
    `Die ersten ${inDigits(shown)} von ${inDigits(total)} Dateien.`,
  allFiles: 'Alle Dateien',
  openFile: 'Datei öffnen',
  renamedFrom: (path: string) => `Vorher ${path}`,
  binary: 'Eine Binärdatei; es gibt keine Zeilen zu vergleichen.',
  large: 'Diese Datei ist zu groß für einen Vergleich Zeile für Zeile.',
  submodule: 'Ein anderer Commit eines Submoduls ist ausgecheckt.',
  tooLong: 'Dieser Vergleich ist zu lang, um ihn zu zeigen.',
  sameNow: 'Diese Datei ist wie zu Beginn der Sitzung.',
  statusNames: { A: 'Hinzugefügt', M: 'Geändert', D: 'Gelöscht', R: 'Umbenannt' },
  moreCharacters: (count: number) => `… ${inDigits(count)} weitere Zeichen`,

  newTerminal: 'Neues Terminal',
  openTerminal: 'Terminal öffnen',
  terminalGone:
    'Dieses Terminal gibt es nicht mehr. Es wurde geschlossen, oder sein Programm endete vor einer Weile.',
  xtermOff: 'Terminals sind für diesen Browser abgeschaltet, unter Einstellungen › Allgemein.',
  terminalsNeedAdmin: 'Terminals stehen Anmeldungen mit Verwaltungsrecht offen.',
  noTerminals: 'Noch keine Terminals.',
  terminalsLast:
    'Ein Terminal arbeitet in diesem Repository und läuft weiter, wenn diese Seite geschlossen wird.',
  terminalTabs: 'Terminals dieses Repositorys',
  closeTerminal: 'Terminal schließen',
  closeQuestion: 'Dieses Terminal schließen? Alles, was darin läuft, wird beendet.',
  keepTerminal: 'Behalten',
  exited: (code: number | null, signal: string | null) =>
    signal ? `Beendet durch ${signal}` : code === null ? 'Beendet' : `Beendet mit Code ${code}`,
  ended: 'beendet',
  agentCommands: 'Befehle des Agenten',
  runs: 'läuft',
  typed: (line: string) => `$ ${line}`,
  endedAfter: (ended: string, time: string) => `${ended} nach ${time}`,
  runningFor: (time: string) => `Läuft seit ${time}`,
  lastPart: (size: string) => `Nur die letzten ${size}; mehr bewahrt der Hub nicht auf`,
  outputFile: 'ausgabe.txt',
  skipped: (size: number) => `${bytes(size)} früherer Ausgabe sind nicht mehr gespeichert.`,
  pasteQuestion: (lines: number) =>
    `${count(lines, 'Zeile', 'Zeilen')} einfügen? Eine Shell führt sie womöglich sofort aus.`,
  paste: 'Einfügen',
  linkQuestion: 'Ein Programm in diesem Terminal bietet einen Link an:',
  openLink: 'Link öffnen',
  notTyped: 'Nicht eingegeben: Der Hub ist nicht erreichbar.',
  helperKeys: 'Tasten, die einem Telefon fehlen',
  keys: {
    escape: 'Esc',
    tab: 'Tab',
    control: 'Strg',
    up: 'Nach oben',
    down: 'Nach unten',
    left: 'Nach links',
    right: 'Nach rechts',
  },

  findFile: 'Datei suchen',
  findHint: 'Buchstaben aus dem Pfad',
  recent: 'Zuletzt geöffnet',
  repoFiles: 'In diesem Repository',
  found: (shown: number, total: number) => `${inDigits(shown)} von ${inDigits(total)} Dateien`,
  noFile: (letters: string) => `Keine Datei passt zu „${letters}“.`,
  noFiles: 'Dieses Repository hat keine Dateien.',
  binaryFile: (size: number) =>
    `Eine Binärdatei mit ${bytes(size)}. Darin gibt es nichts zu lesen.`,
  largeFile: (size: number) => `Eine Datei mit ${bytes(size)}, zu groß, um sie hier zu zeigen.`,
  emptyFile: 'Diese Datei ist leer.',
  contentOf: (path: string) => `Inhalt von ${path}`,
  gitNames: {
    M: 'Geändert',
    A: 'Hinzugefügt',
    D: 'Gelöscht',
    R: 'Umbenannt',
    C: 'Kopiert',
    T: 'Anderer Typ',
    U: 'Konflikt',
    '?': 'Nicht versioniert',
  },

  wireEmpty: 'Hier erscheinen die Nachrichten zwischen Hub und Agent.',
  wireNone: 'Keine Nachricht passt zum Filter.',
  wireList: 'Nachrichten zwischen Hub und Agent',
  wireNote: 'Geheimnisse werden durch [redacted] ersetzt, bevor etwas gespeichert wird.',
  direction: 'Richtung',
  directions: {
    all: 'Beide Richtungen',
    in: 'Vom Agenten',
    out: 'Zum Agenten',
    stderr: 'Fehler',
  },
  directionNames: { in: 'vom Agenten', out: 'zum Agenten', stderr: 'stderr des Agenten' },
  method: 'Methode',
  anyMethod: 'Jede Methode',
  filter: 'Nachrichten filtern',
  pause: 'Anhalten',
  resume: 'Fortsetzen',
  clear: 'Leeren',
  copyCurl: 'Als curl kopieren',
  download: 'Herunterladen',
  downloadLines: 'Als .jsonl herunterladen',
  answered: (time: string) => `beantwortet nach ${time}`,
  toRequest: 'Zur Anfrage',
  toAnswer: 'Zur Antwort',
  showInConversation: 'Im Gespräch zeigen',
  faults: (number: number) => count(number, 'Fehler', 'Fehler'),
  faultsTitle: 'Weicht vom Protokoll ab:',
  cut: 'Nur der Anfang dieser Nachricht wurde gespeichert.',
  answerTo: (method: string) => `Ergebnis ${method}`,
  errorTo: (method: string) => `Fehler ${method}`,
  unknownRequest: 'einer Anfrage',
}
