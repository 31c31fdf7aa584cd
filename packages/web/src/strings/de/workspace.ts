// The texts of work trees: the choice for a new session, and the way of a session's branch to the merge, in German.
import { count, inDigits } from '../../shared/text/plural.js'
import type { workspace as english } from '../en/workspace.js'
import type { Words } from '../en/words.js'

export const workspace: Words<typeof english> = {
  workTree: 'Arbeitsbaum',
  shared: 'Gemeinsamer Arbeitsbaum',
  own: (base: string) => `Eigener Arbeitsbaum von ${base}`,
  currentCommit: 'dem jetzigen Commit',
  ownAsItIs: 'Eigener Arbeitsbaum, Dateien wie jetzt',
  ownOther: 'Eigener Arbeitsbaum, anderer Branch …',
  branchTitle: 'Von einem anderen Branch beginnen',
  branchText: 'Die Sitzung bekommt einen eigenen Branch, der dort beginnt.',
  branchName: 'Name des Branches',
  choose: 'Auswählen',
  making: 'Legt einen Arbeitsbaum an und startet …',
  filesWritten: 'Dateien des Arbeitsbaums',
  filesDone: (done: number, total: number) =>
    `${inDigits(done)} von ${count(total, 'Datei', 'Dateien')}`,
  menu: (branch: string) => `Branch ${branch}`,
  removed: 'Arbeitsbaum entfernt',
  removedText:
    'Der Arbeitsbaum dieser Sitzung wurde entfernt. Du kannst die Sitzung lesen, aber nicht fortsetzen.',
  compare: 'Mit den anderen vergleichen',
  check: 'Prüfung ausführen',
  commit: 'Committen …',
  commitTitle: 'Alle Änderungen committen',
  commitText: 'Die Hooks des Repositorys laufen, wie an deinem Terminal.',
  message: 'Commit-Nachricht',
  commitAction: 'Committen',
  committed: (commit: string) => `Der letzte Commit ist ${commit}.`,
  bringIn: (base: string) => `In ${base} übernehmen …`,
  bringInTitle: (branch: string) => `${branch} übernehmen`,
  into: 'In den Branch',
  how: 'Wie',
  ways: {
    merge: { name: 'Merge', text: 'Alle Commits und ein Merge-Commit.' },
    squash: { name: 'Squash', text: 'Ein Commit mit allen Änderungen.' },
    rebase: { name: 'Rebase', text: 'Die Commits nacheinander auf dem Branch.' },
  },
  bringInAction: 'Übernehmen',
  broughtIn: (into: string, commit: string) => `${into} ist jetzt bei ${commit}.`,
  dirtyHere: 'Diese Änderungen haben noch keinen Commit. Committe sie zuerst.',
  dirtyThere: (into: string) =>
    `Diese Dateien sind in dem Arbeitsbaum im Weg, in dem ${into} ausgecheckt ist. Committe oder verschiebe sie dort zuerst.`,
  conflict: (files: number, into: string) =>
    `${count(files, 'Datei steht', 'Dateien stehen')} im Konflikt mit ${into}. Nichts hat sich geändert.`,
  files: 'Dateien',
  resolve: 'Den Agenten lösen lassen',
  resolvePrompt: (into: string, files: string) =>
    `Führe den Branch ${into} mit git merge in diesen Arbeitsbaum zusammen und löse die Konflikte in:\n${files}\nCommitte dann den Merge.`,
  push: 'Pushen …',
  pushTitle: (branch: string) => `${branch} pushen`,
  remote: 'Zum Remote',
  pushAction: 'Pushen',
  pushed: (branch: string) => `${branch} ist gepusht.`,
  pullRequest: 'Pull-Request',
  pullRequestTitle: 'Titel',
  pullRequestBody: 'Beschreibung',
  pullRequestText: 'Er wird mit dem Konto geöffnet, das gh oder glab auf dem Rechner des Hubs hat.',
  pullRequestAction: 'Pull-Request öffnen',
  pullRequestOpened: 'Der Pull-Request ist offen.',
  discard: 'Verwerfen …',
  discardTitle: 'Arbeitsbaum verwerfen?',
  discardText: (branch: string) =>
    `Der Arbeitsbaum und der Branch ${branch} werden entfernt, und die Sitzung endet. Ihr Stand, auch Änderungen ohne Commit, bleibt als Referenz des Repositorys erhalten.`,
  discardAction: 'Verwerfen',
  discarded: 'Der Arbeitsbaum ist entfernt. Sein Stand bleibt unter dieser Referenz erhalten:',
  nothingKept: (base: string) =>
    `Der Arbeitsbaum ist entfernt. ${base} enthält schon alles daraus.`,
  unsaved: (files: number, commits: number, reference: string) => {
    const parts = [
      ...(files > 0 ? [`nicht committete Änderungen in ${count(files, 'Datei', 'Dateien')}`] : []),
      ...(commits > 0 ? [`${count(commits, 'Commit', 'Commits')}, die seiner Basis fehlen`] : []),
    ]
    return `Ihr Arbeitsbaum hat ${parts.join(' und ')}. Sie bleiben als ${reference} erhalten.`
  },
  unsavedShort: 'Arbeit bleibt als Referenz',
  discardedShort: 'samt der verworfenen Arbeit',
  working: 'Läuft …',
  output: 'Ausgabe von Git und seinen Hooks',
}
