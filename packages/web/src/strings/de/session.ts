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
  nothingYet: 'Noch keine Nachrichten.',
  working: (agent: string) => `${agent} arbeitet`,
  jump: 'Zum Neuesten springen',
  newSteps: (number: number) => count(number, 'neuer Schritt', 'neue Schritte'),
  showLater: 'Späteres zeigen',
  showEarlier: 'Früheres zeigen',

  // The header and its menu
  more: 'Mehr',
  archived: 'Archiviert. Nur zum Lesen.',
  asleep: 'Diese Sitzung schläft. Sie wacht auf, wenn du schreibst.',
  ended: 'Diese Sitzung ist beendet. Die nächste Nachricht setzt sie fort.',
  stopped: (agent: string) =>
    `${agent} wurde unerwartet beendet. Deine Nachrichten bleiben erhalten; die nächste startet den Agenten neu.`,
  interruptedByHub: (agent: string) =>
    `Der Hub wurde beendet, während ${agent} arbeitete. Deine Nachrichten bleiben erhalten; die nächste startet den Agenten neu.`,
  stoppedWithHub: (agent: string) =>
    `Der Hub wurde unerwartet beendet, und mit ihm ${agent}. Deine Nachrichten bleiben erhalten; die nächste startet den Agenten neu.`,
  endedByHub: (agent: string) =>
    `Der Hub musste ${agent} beenden; der Grund steht oben. Die nächste Nachricht startet den Agenten neu.`,
  machineAway: (machine: string, since: string) =>
    `${machine} ist seit ${since} nicht erreichbar. Du kannst diese Sitzung lesen; sie geht weiter, wenn der Rechner zurück ist.`,
  notStored:
    'Der Hub kann die Arbeit dieser Sitzung nicht speichern; vielleicht ist sein Datenträger voll. Schaffe Platz. Der Agent wurde beendet, und die nächste Nachricht startet ihn neu.',
  restart: 'Agent neu starten',
  repoGone: (path: string) =>
    `Den Ordner ${path} gibt es nicht mehr. Lesen lässt sich diese Sitzung weiterhin.`,
  allowMore: 'Mehr erlauben …',
  allowances: {
    reads: 'Lesen in dieser Sitzung erlauben',
    edits: 'Lesen und Bearbeiten in dieser Sitzung erlauben',
    everything: 'Alles außer Dateien erlauben, die Code ausführen können',
  },
  allowing: {
    reads: 'Lesen ist erlaubt',
    edits: 'Bearbeiten ist erlaubt',
    everything: 'Fast alles ist erlaubt',
    other: 'Manche Berechtigungen sind automatisch',
  },
  askAgain: 'Wieder bei jeder Berechtigung fragen',

  // Messages
  copyMessage: 'Nachricht kopieren',
  copyMarkdown: 'Als Markdown kopieren',
  copyLink: 'Link zu dieser Nachricht kopieren',
  copyCode: 'Code kopieren',
  copyOutput: 'Ausgabe kopieren',
  copyPath: 'Pfad kopieren',
  code: 'Code',
  table: 'Tabelle',
  task: 'Aufgabe',
  output: 'Ausgabe',
  pictureAt: (alt: string) => (alt === '' ? 'Bild unter' : `Bild „${alt}“ unter`),
  enlarge: (alt: string) => (alt === '' ? 'Bild vergrößern' : `Bild „${alt}“ vergrößern`),
  alerts: {
    note: 'Hinweis',
    tip: 'Tipp',
    important: 'Wichtig',
    warning: 'Warnung',
    caution: 'Vorsicht',
  },
  detailsTitle: 'Mehr',
  footnote: (label: string) => `Fußnote ${label}`,
  diagram: 'Diagramm',
  showDiagram: 'Diagramm zeigen',
  showSource: 'Quelltext zeigen',
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
  showEarlierOutput: 'Frühere Ausgabe zeigen',
  earlierNotLoaded: 'Die frühere Ausgabe ließ sich nicht laden. Versuche es noch einmal.',
  outputCut: 'Nur das Ende dieser Ausgabe wird gezeigt.',
  outputBegins: 'Nur der Anfang dieser Ausgabe wird gezeigt.',
  textLeftOut: (chars: number) =>
    `Hier ${chars === 1 ? 'fehlt' : 'fehlen'} ${count(chars, 'Zeichen', 'Zeichen')} dieses Textes.`,
  downloadTranscript: 'Das ganze Transkript herunterladen',
  outputGone: 'Frühere Ausgabe wurde nicht gespeichert.',
  downloadAll: (size: string) => `Alles herunterladen (${size})`,
  downloadKept: (size: string) => `Rest herunterladen (${size})`,
  showAllLines: (number: number) =>
    number === 1 ? 'Die eine Zeile zeigen' : `Alle ${inDigits(number)} Zeilen zeigen`,
  linesLeftOut: (number: number) => count(number, 'unveränderte Zeile', 'unveränderte Zeilen'),
  largeDiff: (lines: number) => `Großer Diff (${count(lines, 'Zeile', 'Zeilen')}). Laden`,
  tooLargeToShow: (added: number, removed: number) =>
    `Zu groß zum Anzeigen: ${count(added, 'Zeile', 'Zeilen')} hinzugefügt, ${count(removed, 'Zeile', 'Zeilen')} entfernt.`,
  editTooLarge: 'Zu groß zum Anzeigen.',
  downloadOldText: 'Alten Text herunterladen',
  downloadNewText: 'Neuen Text herunterladen',
  diffNotLoaded: 'Der Diff konnte nicht geladen werden.',
  noChange: 'Kein Unterschied.',
  needsDecision: 'Wartet auf deine Entscheidung',
  interruptedNote: 'Der Agent wurde beendet, bevor dies fertig war.',

  // Ends and notices
  youStopped: 'Von dir gestoppt',
  stoppedOn: (device: string) => `Gestoppt von ${device}`,
  stoppedTurn: 'Gestoppt',
  timedOutTurn: 'Zeit abgelaufen: Eine Erlaubnis wurde nicht rechtzeitig beantwortet',
  filesRead: (number: number) => `${count(number, 'Datei', 'Dateien')} gelesen`,
  filesChanged: (number: number) => `${inDigits(number)} geändert`,
  review: 'Änderungen ansehen',
  outOfRoom: 'Das Modell hat seine Ausgabegrenze erreicht',
  stepLimit: 'Der Agent hat seine Schrittgrenze erreicht',
  declined: 'Der Agent hat abgelehnt',
  noAnswer: 'Die Runde endete ohne Antwort',
  continueIt: 'Weiter',
  signedOut: 'Nicht angemeldet',
  signIn: 'Melde dich beim Agenten an und sende die Nachricht dann erneut.',
  continueInNew: 'In neuer Sitzung fortsetzen',
  continueFrom: (title: string, said: string) =>
    `Dies setzt eine frühere Sitzung fort, „${title}“. Dort wurde gesagt:\n\n${said}\n\n`,
  youSaid: (text: string) => `Ich sagte: ${text}`,
  agentSaid: (text: string) => `Du hast geantwortet: ${text}`,
  afterCrash: 'Die nächste Nachricht startet den Agenten neu, und es geht hier weiter.',

  // Decisions
  wants: (agent: string, action: string) => `${agent} möchte ${action}`,
  asks: (agent: string) => `${agent} hat eine Frage`,
  oneOf: (number: number) => `1 von ${number}`,
  alsoWaiting: (number: number) => `${number} Erlaubnisse warten`,
  allowAlike: (number: number) => `Alle ${number} dieser Art erlauben`,
  actions: {
    execute: 'einen Befehl ausführen',
    edit: 'eine Datei ändern',
    delete: 'eine Datei löschen',
    move: 'eine Datei verschieben',
    read: 'eine Datei lesen',
    search: 'suchen',
    fetch: 'auf das Web zugreifen',
    other: 'ein Werkzeug benutzen',
  },
  foreignTexts: {
    link: 'Dieser Text kam mit einem Link. Lies ihn ganz, bevor du ihn sendest.',
    share: 'Eine andere App oder Website hat dies geteilt. Lies alles, bevor du es sendest.',
  },
  foreignOffers: {
    link: 'Ein Link hat diesen Text mitgebracht. Dein Entwurf wurde nicht geändert.',
    share: 'Eine andere App oder Website hat dies geteilt. Dein Entwurf wurde nicht geändert.',
  },
  replaceDraft: 'Meinen Entwurf ersetzen',
  keepDraft: 'Meinen Entwurf behalten',
  discardForeign: 'Verwerfen',
  wholeInput: 'Vollständige Eingabe des Werkzeugs',
  rejectWithPrompt: 'Ablehnen mit Hinweis',
  insteadLabel: 'Was stattdessen zu tun ist',
  insteadPlaceholder: 'Was ist stattdessen zu tun?',
  rejectAndSend: 'Ablehnen und senden',
  answer: 'Antworten',
  decline: 'Ablehnen',
  openInNewTab: 'In neuem Tab öffnen',
  whenDone: 'Komm zurück, wenn du fertig bist.',
  finished: 'Erledigt',
  leadsTo: 'Dieser Link führt zu',
  notSafe: 'Diese Adresse lässt sich von hier nicht öffnen.',
  punycode: 'Der Name dieser Website enthält womöglich täuschend ähnliche Buchstaben.',
  choose: 'Auswählen …',
  nobodyAnswered: 'Zeit abgelaufen, keine Antwort',
  noLongerNeeded: 'Nicht mehr nötig',
  chose: (option: string) => `Von dir gewählt: „${option}“`,
  choseOn: (option: string, device: string) => `„${option}“, beantwortet von ${device}`,
  ruleChose: (option: string) => `Eine Regel dieser Sitzung hat „${option}“ gewählt`,
  answered: (device: string | undefined) =>
    device ? `Beantwortet von ${device}` : 'Von dir beantwortet',
  declinedOn: (device: string | undefined) =>
    device ? `Abgelehnt von ${device}` : 'Von dir abgelehnt',
  asked: (question: string) => `Der Agent fragte: ${question}`,

  // The composer
  message: 'Nachricht an den Agenten',
  messageTo: (agent: string) => `Nachricht an ${agent}`,
  followUp: 'Noch etwas hinzufügen',
  write: 'Nachricht senden, um fortzufahren',
  dictate: 'Diktieren',
  stopDictation: 'Diktat beenden',
  dictationProblem: (problem: string) =>
    problem === 'not-allowed' || problem === 'service-not-allowed'
      ? 'Zum Diktieren braucht die Seite das Mikrofon. Erlaube es im Browser.'
      : `Das Diktat wurde unterbrochen (${problem}). Versuche es noch einmal, oder tippe.`,
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
  lookOn: 'Nur Ansicht: Diese Anmeldung kann dem Agenten nicht schreiben.',
  offline:
    'Nicht verbunden. Die Agenten arbeiten weiter; was du sendest, geht hinaus, sobald die Verbindung wieder besteht.',
  add: 'Anhängen',
  addPicture: 'Bild …',
  addFile: 'Datei aus dem Repository',
  addCommand: 'Befehl',
  removeAttachment: (name: string) => `${name} entfernen`,
  pastedTexts: 'Eingefügter Text',
  pasted: (lines: number) => `Eingefügter Text (${count(lines, 'Zeile', 'Zeilen')})`,
  putIn: 'Als Text einfügen',
  uploading: 'Lädt hoch …',
  dropHere: 'Bilder hier ablegen',
  noPictures: (agent: string) => `${agent} kann keine Bilder lesen.`,
  removePictures: 'Entferne die angehängten, um die Nachricht zu senden.',
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
  queue: 'Nachrichten in der Warteschlange',
  queuePaused: (number: number) =>
    `Warteschlange angehalten. ${count(number, 'Nachricht wartet', 'Nachrichten warten')}.`,
  sendNext: 'Nächste senden',
  edit: 'Bearbeiten',
  sendNow: 'Jetzt senden',
  moveUp: 'Nach oben schieben',
  removeFromQueue: 'Aus der Warteschlange entfernen',
  editQueued: 'Nachricht in der Warteschlange',
  clear: 'Leeren',

  // For screen readers
  announce: {
    ended: 'Die Sitzung ist beendet.',
    decision: (agent: string) => `${agent} wartet auf deine Entscheidung.`,
    working: (agent: string) => `${agent} arbeitet.`,
    ready: (agent: string) => `${agent} ist bereit.`,
    stopped: (agent: string) => `${agent} wurde unerwartet beendet.`,
    edited: (number: number) => `${count(number, 'Datei', 'Dateien')} bearbeitet.`,
  },

  // Find
  find: 'Im Gespräch suchen',
  findCount: (index: number, all: number, isWhole = true) =>
    all === 0 ? 'Kein Treffer' : `${index} von ${all}${isWhole ? '' : '+'}`,
  findNext: 'Nächster Treffer',
  findPrevious: 'Vorheriger Treffer',
}

function times(number: number): string {
  return number === 1 ? 'einmal' : `${inDigits(number)}-mal`
}
