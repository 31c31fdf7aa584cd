// The texts of the session page; agents' own texts are not translated.
import { count, inDigits } from '../../shared/text/plural.js'
import type { session as english } from '../en/session.js'
import type { Words } from '../en/words.js'

export const session: Words<typeof english> = {
  // The page
  session: 'Sitzung',
  conversation: 'Gespräch',
  notShown: 'Diese Sitzung lässt sich nicht zeigen',
  theAgent: 'Der Agent',
  ready: (agent: string) => `${agent} ist bereit. Was ist zu tun?`,
  nothingYet: 'In dieser Sitzung wurde nichts gesagt.',
  working: (agent: string) => `${agent} arbeitet`,
  jump: 'Zum Neuesten springen',
  newSteps: (number: number) => count(number, 'neuer Schritt', 'neue Schritte'),
  showEarlier: 'Früheres zeigen',

  // The header and its menu
  more: 'Mehr',
  archived: 'Archiviert. Nur zum Lesen.',
  ended: 'Diese Sitzung ist beendet. Die nächste Nachricht setzt sie fort.',
  stopped: (agent: string) =>
    `${agent} wurde unerwartet beendet. Nichts Geschriebenes ist verloren; die nächste Nachricht startet den Agenten neu.`,
  stoppedWithHub: (agent: string) =>
    `Der Hub wurde unerwartet beendet, und mit ihm ${agent}. Nichts Geschriebenes ist verloren; die nächste Nachricht startet den Agenten neu.`,
  restart: 'Agent neu starten',
  repoGone: (path: string) =>
    `Den Ordner ${path} gibt es nicht mehr. Lesen lässt sich diese Sitzung weiterhin.`,
  allowMore: 'Mehr erlauben …',
  allowances: {
    reads: 'Lesen in dieser Sitzung erlauben',
    edits: 'Lesen und Bearbeiten in dieser Sitzung erlauben',
    everything: 'Alles in dieser Sitzung erlauben',
  },
  allowing: {
    reads: 'Lesen ist erlaubt',
    edits: 'Bearbeiten ist erlaubt',
    everything: 'Alles ist erlaubt',
    other: 'Regeln beantworten manche Berechtigung',
  },
  askAgain: 'Wieder bei jeder Berechtigung fragen',

  // Messages
  copyMessage: 'Nachricht kopieren',
  copyMarkdown: 'Als Markdown kopieren',
  copyLink: 'Link zu dieser Nachricht kopieren',
  copyCode: 'Code kopieren',
  copyOutput: 'Ausgabe kopieren',
  copyPath: 'Pfad kopieren',
  editAgain: 'Noch einmal schreiben',
  code: 'Code',
  table: 'Tabelle',
  task: 'Aufgabe',
  output: 'Ausgabe',
  pictureAt: (alt: string) => (alt === '' ? 'Bild unter' : `Bild „${alt}“ unter`),
  picture: 'Bild',
  attachedPicture: 'Angehängtes Bild',
  audio: 'Ton',
  cannotShow: (type: string) =>
    `Der Agent hat etwas gesendet, das sich noch nicht zeigen lässt (${type}).`,
  thinking: 'Denkt nach …',
  thought: 'Nachgedacht',
  thoughtFor: (time: string) => `${time} nachgedacht`,
  plan: 'Plan',
  planProgress: (done: number, all: number) => `${done} von ${all}`,
  planStep: (step: number, all: number) => `Schritt ${step} von ${all}`,
  planDone: (all: number) =>
    all === 1 ? 'Der eine Schritt ist erledigt' : `Alle ${inDigits(all)} Schritte erledigt`,
  done: '(erledigt)',
  inProgress: '(in Arbeit)',
  toDo: '(offen)',
  highPriority: 'Hohe Priorität',
  workedFor: (time: string, steps: number) =>
    `${time} gearbeitet · ${count(steps, 'Schritt', 'Schritte')}`,

  // Tool calls
  tools: {
    read: 'Lesen',
    edit: 'Bearbeiten',
    delete: 'Löschen',
    move: 'Verschieben',
    search: 'Suchen',
    execute: 'Ausführen',
    fetch: 'Abrufen',
    think: 'Nachdenken',
    other: 'Werkzeug',
  },
  statuses: {
    completed: 'Fertig',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
    rejected: 'Abgelehnt',
    interrupted: 'Unterbrochen',
    pending: 'Wartet',
  },
  readFiles: (number: number) => `${count(number, 'Datei', 'Dateien')} gelesen`,
  searched: (number: number) => `${times(number)} gesucht`,
  fetched: (number: number) => `${count(number, 'Seite', 'Seiten')} abgerufen`,
  thoughtTimes: (number: number) => `${times(number)} nachgedacht`,
  exit: (code: number) => `Code ${code}`,
  killed: (signal: string) => `beendet durch ${signal}`,
  running: 'Läuft',
  runningIn: (folder: string) => `in ${folder}`,
  noOutput: 'Noch keine Ausgabe',
  openTerminal: 'Öffnen',
  openFileAt: (location: string) => `${location} unter Dateien öffnen`,
  printedNothing: 'Keine Ausgabe.',
  showEarlierLines: (number: number) =>
    `${count(number, 'frühere Zeile', 'frühere Zeilen')} zeigen`,
  outputCut: 'Nur das Ende dieser Ausgabe wird gezeigt.',
  outputBegins: 'Nur der Anfang dieser Ausgabe wird gezeigt.',
  outputGone: 'Was davor kam, wurde nicht aufbewahrt.',
  downloadAll: (size: string) => `Alles herunterladen (${size})`,
  downloadKept: (size: string) => `Aufbewahrtes herunterladen (${size})`,
  showAllLines: (number: number) =>
    number === 1 ? 'Die eine Zeile zeigen' : `Alle ${inDigits(number)} Zeilen zeigen`,
  linesLeftOut: (number: number) => count(number, 'unveränderte Zeile', 'unveränderte Zeilen'),
  largeDiff: (lines: number) => `Großer Vergleich (${count(lines, 'Zeile', 'Zeilen')}). Laden`,
  comparing: 'Vergleicht …',
  noChange: 'Kein Unterschied.',
  waitingForYou: 'Wartet auf deine Entscheidung',
  interruptedNote: 'Der Agent wurde beendet, bevor dies fertig war.',

  // Ends and notices
  youStopped: 'Von dir gestoppt',
  stoppedOn: (device: string) => `Gestoppt auf ${device}`,
  stoppedTurn: 'Gestoppt',
  filesRead: (number: number) => `${count(number, 'Datei', 'Dateien')} gelesen`,
  filesChanged: (number: number) => `${inDigits(number)} geändert`,
  review: 'Änderungen ansehen',
  outOfRoom: 'Dem Modell ging der Platz aus',
  stepLimit: 'Der Agent hat seine Schrittgrenze erreicht',
  declined: 'Der Agent hat abgelehnt',
  noAnswer: 'Der Agent endete ohne Antwort',
  continueIt: 'Weiter',
  signIn: 'Melde dich unter Agenten beim Agenten an und sende die Nachricht dann erneut.',
  continueInNew: 'In neuer Sitzung fortsetzen',
  continueFrom: (title: string, said: string) =>
    `Dies setzt eine frühere Sitzung fort, „${title}“. Dort wurde gesagt:\n\n${said}\n\n`,
  youSaid: (text: string) => `Ich sagte: ${text}`,
  agentSaid: (text: string) => `Du hast geantwortet: ${text}`,
  afterCrash: 'Die nächste Nachricht startet den Agenten neu, und es geht hier weiter.',

  // Decisions
  decisionNeeded: 'Entscheidung nötig',
  wants: (agent: string, action: string) => `${agent} möchte ${action}`,
  asks: (agent: string) => `${agent} fragt`,
  oneOf: (number: number) => `1 von ${number}`,
  actions: {
    execute: 'einen Befehl ausführen',
    edit: 'eine Datei ändern',
    delete: 'etwas löschen',
    move: 'etwas verschieben',
    read: 'etwas lesen',
    search: 'suchen',
    fetch: 'etwas aus dem Netz abrufen',
    other: 'ein Werkzeug benutzen',
  },
  wholeInput: 'Alles, was das Werkzeug erhält',
  rejectWithPrompt: 'Ablehnen mit Hinweis',
  insteadLabel: 'Was stattdessen zu tun ist',
  insteadPlaceholder: 'Was ist stattdessen zu tun?',
  rejectAndSend: 'Ablehnen und senden',
  answer: 'Antworten',
  decline: 'Ablehnen',
  openInNewTab: 'In neuem Tab öffnen',
  whenDone: 'Bestätige hier, wenn dort alles erledigt ist.',
  finished: 'Erledigt',
  leadsTo: 'Führt zu',
  notSafe: 'Diese Adresse lässt sich von hier nicht öffnen.',
  punycode:
    'Der Name dieser Website enthält Buchstaben, die denen einer anderen womöglich nur ähnlich sehen.',
  choose: 'Auswählen …',
  nobodyAnswered: 'Niemand hat rechtzeitig geantwortet',
  noLongerNeeded: 'Nicht mehr nötig',
  chose: (option: string) => `Von dir gewählt: „${option}“`,
  choseOn: (option: string, device: string) => `„${option}“, beantwortet auf ${device}`,
  ruleChose: (option: string) => `Eine Regel dieser Sitzung hat „${option}“ gewählt`,
  answered: (device: string | undefined) =>
    device ? `Beantwortet auf ${device}` : 'Von dir beantwortet',
  declinedOn: (device: string | undefined) =>
    device ? `Abgelehnt auf ${device}` : 'Von dir abgelehnt',
  asked: (question: string) => `Der Agent fragte: ${question}`,

  // The composer
  message: 'Nachricht an den Agenten',
  messageTo: (agent: string) => `Nachricht an ${agent}`,
  followUp: 'Noch etwas hinzufügen',
  write: 'Schreiben, um fortzufahren',
  send: 'Senden',
  stop: 'Stoppen',
  stopping: 'Stoppt …',
  escAgain: 'Zum Stoppen noch einmal Esc drücken',
  notSent: (why: string) => `Nicht gesendet. ${why}`,
  notSentYet: 'Noch nicht gesendet. Wird gesendet, sobald wieder eine Verbindung besteht.',
  sending: 'Wird gesendet …',
  takeBack: 'Bearbeiten',
  hintIdle: 'Enter sendet · Umschalt Enter für eine neue Zeile · @ für Dateien · / für Befehle',
  hintBusy: (mod: string) => `Enter reiht ein · ${mod} Enter stoppt und sendet · Esc Esc stoppt`,
  lookOn:
    'Du siehst zu. Diese Anmeldung darf lesen, dem Agenten aber weder schreiben noch antworten.',
  offline:
    'Nicht verbunden. Die Agenten arbeiten weiter; was du sendest, geht hinaus, sobald die Verbindung wieder besteht.',
  add: 'Datei oder Bild hinzufügen',
  addPicture: 'Bild …',
  addFile: 'Datei des Repositorys',
  addCommand: 'Befehl',
  removeAttachment: (name: string) => `${name} entfernen`,
  pastedTexts: 'Eingefügte Texte, die mit deiner Nachricht gesendet werden',
  pasted: (lines: number) => `Eingefügter Text (${count(lines, 'Zeile', 'Zeilen')})`,
  putIn: 'In die Nachricht übernehmen',
  uploading: 'Lädt hoch …',
  dropHere: 'Bilder hier ablegen',
  noPictures: (agent: string) => `${agent} kann keine Bilder lesen.`,
  onlyPictures: 'Anhängen lassen sich nur Bilder als PNG, JPEG, GIF und WebP.',
  tooLarge: 'Dieses Bild ist größer als 10 MB.',
  files: 'Dateien',
  commands: 'Befehle',
  noFile: 'Keine Datei passt',
  searching: 'Sucht …',
  options: 'Optionen des Agenten',
  mode: 'Modus',
  model: 'Modell',
  usage: (percent: number) => `${percent} % des Kontexts sind belegt`,
  usageDetail: (used: string, size: string, percent: number) =>
    `${used} von ${size} Token · ${percent} %`,

  // The queue
  queued: (number: number) => `${number} in der Warteschlange`,
  queue: 'Wartende Nachrichten',
  queuePaused: (number: number) =>
    `Warteschlange angehalten. ${count(number, 'Nachricht wartet', 'Nachrichten warten')}.`,
  sendNext: 'Nächste senden',
  edit: 'Bearbeiten',
  sendNow: 'Jetzt senden',
  moveUp: 'Nach oben schieben',
  removeFromQueue: 'Aus der Warteschlange entfernen',
  editQueued: 'Wartende Nachricht',
  clear: 'Leeren',

  // For screen readers
  announce: {
    ended: 'Die Sitzung ist beendet.',
    decision: (agent: string) => `${agent} braucht deine Entscheidung.`,
    working: (agent: string) => `${agent} arbeitet.`,
    ready: (agent: string) => `${agent} ist bereit.`,
    stopped: (agent: string) => `${agent} wurde unerwartet beendet.`,
    edited: (number: number) => `${count(number, 'Datei', 'Dateien')} bearbeitet.`,
  },

  // Find
  find: 'Im Gespräch suchen',
  findCount: (index: number, all: number) => (all === 0 ? 'Kein Treffer' : `${index} von ${all}`),
  findNext: 'Nächster Treffer',
  findPrevious: 'Vorheriger Treffer',
}

function times(number: number): string {
  return number === 1 ? 'einmal' : `${inDigits(number)}-mal`
}
