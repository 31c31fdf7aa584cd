// The texts of the shell: the frame, sign-in, palette, and common words.
import { count } from '../../shared/text/plural.js'
import type { shell as english } from '../en/shell.js'
import type { Words } from '../en/words.js'

export const shell: Words<typeof english> = {
  appName: 'Quayside',
  common: {
    cancel: 'Abbrechen',
    close: 'Schließen',
    copied: 'Kopiert',
    copy: 'Kopieren',
    details: 'Einzelheiten',
    loading: 'Lädt …',
    newSession: 'Neue Sitzung',
    retry: 'Erneut versuchen',
    save: 'Speichern',
    saved: 'Gespeichert',
    saving: 'Speichert …',
    search: 'Suchen',
    settings: 'Einstellungen',
    undo: 'Rückgängig machen',
  },
  frame: {
    allSessions: 'Alle Sitzungen',
    home: 'Quayside, Startseite',
    hideSessions: 'Sitzungen ausblenden',
    more: 'Mehr zeigen',
    openSessions: 'Sitzungen zeigen',
    sessions: 'Sitzungen',
    skip: 'Zum Inhalt springen',
    skipToComposer: 'Zum Nachrichtenfeld springen',
    skipToLatest: 'Zur neuesten Nachricht springen',
    connected: 'Verbunden',
    connectedAgain: 'Wieder verbunden.',
    connecting: 'Verbindet …',
    running: (number: number, most: number | undefined) =>
      most === undefined
        ? `${count(number, 'Agent', 'Agenten')} wach`
        : `${number} von ${count(most, 'Agent', 'Agenten')} wach`,
    runningText: 'Sitzungen mit einem wachen Agenten, und ihre Höchstzahl',
    sideWidth: 'Breite der Sitzungsliste ändern',
    offlineLong: (host: string) => `Keine Verbindung. Die Agenten arbeiten auf ${host} weiter.`,
    retryNow: 'Jetzt versuchen',
    reconnecting: 'Verbindet erneut … Nichts geht verloren.',
  },
  update: {
    ready: 'Eine neue Version ist bereit.',
    hub: 'Der Hub wurde aktualisiert. Neu laden, um die neue Version zu erhalten.',
    reload: 'Neu laden',
  },
  signIn: {
    title: 'Bei Quayside anmelden',
    text: 'Öffne den Link, den Quayside im Terminal ausgegeben hat; er meldet diesen Browser an.',
    again: 'Auf dem Computer, auf dem Quayside läuft, gibt dieser Befehl einen neuen Link aus:',
    label: 'Oder den Link oder seinen Code hier einfügen',
    action: 'Anmelden',
    unreachable: 'Der Hub ist nicht erreichbar',
    unreachableText:
      'Nichts ist verloren. Starte ihn auf seinem Computer wieder; diese Seite verbindet sich von selbst wieder.',
    pageTitle: 'Anmelden · Quayside',
  },
  palette: {
    label: 'Befehlspalette',
    placeholder: 'Sitzungen, Repositorys und Aktionen suchen',
    none: 'Keine Treffer.',
    thisSession: 'Diese Sitzung',
    review: 'Änderungen prüfen',
    sessions: 'Sitzungen',
    inside: 'In Gesprächen',
    repos: 'Sitzung starten',
    agents: 'Mit einem Agenten beginnen',
    startWith: (agent: string) => `Sitzung mit ${agent} starten`,
    actions: 'Aktionen',
    theme: (name: string) => `Farbschema: ${name}`,
    goTo: (page: string) => `Einstellungen: ${page}`,
  },
  field: {
    browse: 'Durchsuchen',
    browseTitle: 'Ordner wählen',
    choose: 'Diesen Ordner wählen',
    up: 'Nach oben',
    noFolders: 'Hier gibt es keine Ordner.',
    roots: 'Stammordner',
    secretSet: 'Gesetzt. Zum Ersetzen neu eingeben.',
    unset: 'Standard',
    required: 'erforderlich',
    range: (min: number | undefined, max: number | undefined) =>
      [min !== undefined && `mindestens ${min}`, max !== undefined && `höchstens ${max}`]
        .filter(Boolean)
        .join(', '),
  },
  missing: {
    title: 'Seite nicht gefunden',
    text: 'Zu dieser Adresse gibt es keine Seite. Vielleicht stammt sie aus einer anderen Version oder enthält einen Tippfehler.',
    action: 'Zur Startseite',
  },
  problems: {
    unreachable: 'Der Hub ist nicht erreichbar. Läuft er?',
    signedOut: 'Du bist nicht mehr angemeldet.',
    pageNotLoaded:
      'Diese Seite konnte nicht geladen werden. Prüfe das Netz und versuche es noch einmal.',
    usedCode: 'Dieser Code gilt nicht mehr. Jeder Code gilt einmal, 10 Minuten lang.',
  },
}
