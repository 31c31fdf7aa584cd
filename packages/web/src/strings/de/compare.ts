// The texts of comparisons: the choice of agents, and their results side by side, in German.
import { count } from '../../shared/text/plural.js'
import type { compare as english } from '../en/compare.js'
import type { Words } from '../en/words.js'

export const compare: Words<typeof english> = {
  chooseTitle: 'Agenten vergleichen',
  chooseText:
    'Jeder Agent bekommt dieselbe Aufgabe in einem eigenen Arbeitsbaum. Danach übernimmst du das Ergebnis, das dir am besten gefällt.',
  atLeastTwo: 'Wähle zwei bis acht Agenten.',
  chosen: (number: number) => `${count(number, 'Agenten', 'Agenten')} vergleichen`,
  title: 'Vergleich',
  missing: 'Diesen Vergleich gibt es nicht mehr',
  missingText: 'Vielleicht wurden seine Sitzungen entfernt.',
  outcomes: {
    working: 'Arbeitet',
    waiting: 'Braucht dich',
    done: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Gestoppt',
  },
  time: 'Zeit',
  cost: 'Kosten',
  changes: 'Änderungen',
  noChanges: 'Keine',
  files: (number: number) => count(number, 'Datei', 'Dateien'),
  check: 'Prüfung',
  checks: {
    running: 'Läuft',
    passed: 'Bestanden',
    failed: 'Nicht bestanden',
    unknown: 'Unbekannt',
  },
  exitCode: (code: number) => `Exit-Code ${code}`,
  noCheckYet: 'Noch nicht',
  output: 'Ausgabe',
  checkAgain: 'Prüfung noch einmal ausführen',
  open: 'Sitzung öffnen',
  review: 'Änderungen durchsehen',
  diffs: (agent: string) => `Änderungen von ${agent}`,
  showDiffs: 'Diffs',
  take: 'Dieses übernehmen',
  takeOf: (agent: string) => `Dieses übernehmen: ${agent}`,
  takeTitle: (agent: string) => `Das Ergebnis von ${agent} übernehmen?`,
  takeText: (others: number) =>
    `${count(others, 'andere Sitzung wird', 'andere Sitzungen werden')} beendet und archiviert. Ihre Terminals werden geschlossen, ihre Arbeitsbäume und Branches entfernt. Ihre Arbeit, auch ohne Commit, bleibt als Referenz des Repositorys erhalten.`,
  taken: 'Übernommen',
  givenUp: 'Aufgegeben',
  keptAs: 'Die Arbeit bleibt unter dieser Referenz erhalten:',
}
