// The texts of the first page: the next task, repositories, trust, the first visit, in German.
import { count } from '../../shared/text/plural.js'
import type { home as english } from '../en/home.js'
import type { Words } from '../en/words.js'

export const home: Words<typeof english> = {
  home: {
    title: 'Was bauen wir?',
    placeholder: 'Aufgabe beschreiben, @ für Dateien',
    hint: 'Enter startet · Umschalt Enter für eine neue Zeile',
    repo: 'Repository',
    machine: 'Rechner',
    thisMachine: 'dieser',
    awayMachine: (since: string) => `nicht erreichbar seit ${since}`,
    runsOn: (machine: string) =>
      `Läuft auf ${machine}, mit den Agenten, Schlüsseln und Einstellungen dieses Rechners.`,
    machineAway: (machine: string, since: string) =>
      `${machine} ist seit ${since} nicht erreichbar. Wähle einen anderen Rechner oder starte diesen.`,
    agent: 'Agent',
    repos: 'Repositorys',
    needsYou: (number: number) => `Wartet auf dich (${number})`,
    sessionsIn: (repo: string) => `Sitzungen in ${repo}`,
    repoMissing: 'Dieses Repository ist nicht mehr da',
    repoMissingText:
      'Es wurde wohl verschoben oder entfernt. Seine Sitzungen lassen sich weiterhin lesen.',
    optionKept: (option: string) => `${option} ließ sich nicht einstellen.`,
    rescan: 'Erneut suchen',
    rescanning: 'Sucht …',
    noChoice: 'Keine Treffer.',
    starting: 'Startet …',
    startIn: (repo: string) => `Sitzung in ${repo} starten`,
    workIn: (repo: string) => `In ${repo} arbeiten`,
    slowStart: (agent: string) =>
      `${agent} startet … Der erste Start kann bis zu einer Minute dauern.`,
    settings: (agent: string) => `Einstellungen für diese Sitzung mit ${agent}`,
    sessionCount: (number: number) => count(number, 'Sitzung', 'Sitzungen'),
    manageAgents: 'Agenten verwalten',
    compare: 'Agenten vergleichen …',
    comparing: (number: number) => `${count(number, 'Agenten', 'Agenten')} vergleichen`,
    agentCount: (number: number) => count(number, 'Agent', 'Agenten'),
    compareNone: 'Einen Agenten verwenden',
    allRunning: 'Beende eine Sitzung, um Platz zu machen',
    install: 'Anleitung zur Installation',
    lookOnTitle: 'Nur Ansicht',
    lookOnText:
      'Du kannst jede Sitzung ansehen, aber keine starten. Bitte einen Admin um Schreibzugriff.',
    noReposTitle: 'Hier gibt es noch keine Repositorys',
    noReposText:
      'Füge zum Anfangen einen Ordner mit einem Git-Repository hinzu. Quayside sucht sie unter dem Ordner, in dem es gestartet wurde.',
    noReposRoot: 'Für Repositorys an anderer Stelle starte es mit deren Ordner:',
  },
  inbox: {
    finished: (number: number) => `Fertig, seit du weg warst (${number})`,
    markRead: 'Alle als gelesen markieren',
    working: (number: number) => `Arbeitet (${number})`,
    recent: 'Letzte Sitzungen',
  },
  addRepo: {
    add: 'Hinzufügen',
    title: 'Repository hinzufügen',
    text: 'Ein Ordner auf dem Computer des Hubs, oder die Adresse eines Git-Repositorys, das der Hub klont.',
    path: 'Ordnerpfad oder Adresse',
    submit: 'Repository hinzufügen',
    outside:
      'Dieser Ordner liegt außerhalb der Stammordner des Hubs. Wenn du ihn hinzufügst, dürfen Sitzungen in seinem Repository arbeiten, und alle mit Zugang zu diesem Hub können es lesen.',
    addAnyway: 'Trotzdem hinzufügen',
    clone: 'Repository klonen',
    cloning: 'Verbindet sich',
    cancelClone: 'Klonen abbrechen',
    added: (repo: string) => `${repo} hinzugefügt.`,
  },
  trust: {
    title: (repo: string) => `${repo} vertrauen?`,
    changedTitle: (repo: string) => `${repo} wieder vertrauen?`,
    text: 'Agenten können Befehle aus der Konfiguration dieses Repositorys ausführen. Fahre nur fort, wenn du der Quelle vertraust.',
    changedText: 'Die Agenten-Konfiguration hat sich geändert, seit du ihr vertraut hast.',
    files: 'Agenten-Konfiguration in diesem Repository',
    noFiles: 'Keine Agenten-Konfiguration gefunden.',
    action: 'Vertrauen und starten',
  },
  samples: {
    tasks: [
      {
        name: 'Rundgang',
        text: 'Liest eine Datei, schlägt eine Änderung vor und fragt dich.',
        prompt:
          'Führe mich herum: Lies eine Datei, schlage eine kleine neue Datei vor und führe git status aus. Frag, bevor du etwas änderst.',
      },
      {
        name: 'Dieses Repository erklären',
        text: 'Was es tut, und wo man zuerst hinsieht.',
        prompt:
          'Erkläre dieses Repository: was es tut, wie es aufgebaut ist und welche Dateien man zuerst liest. Ändere nichts.',
      },
      {
        name: 'Einen Fehler finden',
        text: 'Ein echtes Problem, mit einem Vorschlag.',
        prompt:
          'Suche einen echten Fehler in diesem Repository. Erkläre, wie er entsteht, und schlage die kleinste Korrektur vor. Frag, bevor du etwas änderst.',
      },
    ],
  },
  welcome: {
    title: 'Mit welchem Agenten soll es losgehen?',
    looking: 'Prüft, welche Agenten auf diesem Computer funktionieren …',
    found: (number: number) =>
      number === 0
        ? 'Noch ist kein Agent bereit. Installiere einen von diesen und prüfe dann erneut. Der Demo-Agent braucht nichts.'
        : `Quayside hat auf diesem Computer ${count(number, 'Agenten gefunden, der bereit ist', 'Agenten gefunden, die bereit sind')}. Weitere lassen sich später hinzufügen.`,
    others: (number: number) =>
      `${count(number, 'weiterer Agent', 'weitere Agenten')} zum Installieren`,
    repo: 'Repository wählen',
    task: 'Mit einer Aufgabe beginnen',
    continue: 'Weiter',
    skip: 'Überspringen',
    checkAgain: 'Erneut prüfen',
  },
}
