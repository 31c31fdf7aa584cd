// Sentences of the hub in German. The hub writes English; a sentence that is not listed stays as it is.
import { ERRORS, NOTICE_SENTENCES, type ErrorCode } from '@quayside/protocol'

const NOTICES: Readonly<Record<keyof typeof NOTICE_SENTENCES, string>> = {
  session_forked: 'Die Sitzung wurde hier abgezweigt.',
  session_resumed: 'Die Sitzung wurde fortgesetzt.',
  session_completed: 'Die Sitzung wurde beendet.',
  session_cancelled: 'Die Sitzung wurde abgebrochen.',
  session_failed: 'Die Sitzung endete wegen eines Fehlers.',
  agent_primed: 'Der Agent hat keine Erinnerung an die Sitzung. Er bekommt sie als Text.',
  idle_timeout: 'Die Sitzung schläft nach längerer Ruhe.',
  made_room: 'Die Sitzung schläft, um Platz für eine andere zu machen.',
  server_shutdown: 'Der Agent wurde beendet, weil der Hub beendet wurde.',
  hub_crash: 'Die Sitzung endete, weil der Hub unerwartet beendet wurde.',
  hub_drained: 'Die Sitzung schläft, um den Hub zu leeren.',
  agent_exited: 'Die Sitzung endete, weil der Agent unerwartet beendet wurde.',
}

const FAILURES: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Die Anfrage ist fehlerhaft.',
  unauthorized: 'Melde dich zuerst an.',
  host_not_allowed:
    'Dieser Hostname ist nicht erlaubt. Nutze localhost oder nenne ihn in QUAYSIDE_HOSTNAMES, wo der Hub läuft.',
  origin_not_allowed:
    'Anfragen von dieser Herkunft sind nicht erlaubt. Öffne die Seite unter der Adresse des Hubs oder nenne die Herkunft in QUAYSIDE_ORIGINS, wo der Hub läuft.',
  scope_too_small:
    'Deine Anmeldung reicht dafür nicht. Nutze eine mit mehr Rechten, die ein Admin anlegen kann.',
  path_outside_root:
    'Das Repository liegt außerhalb der Stammordner. Ein Admin kann es hinzufügen und das bestätigen, oder den Hub mit einem --root darüber starten.',
  not_found: 'Unter dieser Adresse ist nichts.',
  hub_not_found: 'Diesen Hub gibt es nicht. `quayside hubs` listet sie auf.',
  hub_running: 'Der Hub läuft. Beende ihn zuerst.',
  hub_alone: 'Dieser Hub hat seine Datenbank für sich, also gibt es keinen anderen.',
  hub_draining: 'Der Hub wird geleert und nimmt keine neuen Sitzungen und Nachrichten an.',
  repo_not_found: 'Dieses Repository gibt es nicht. Ist es neu, suche erneut.',
  clone_not_found: 'Diesen Klon gibt es nicht. Vielleicht ist er schon lange beendet.',
  extension_not_found: 'Diesen Agenten gibt es nicht.',
  session_not_found: 'Diese Sitzung gibt es nicht.',
  process_not_found: 'Diesen Prozess gibt es nicht. Vielleicht ist er beendet.',
  question_not_found: 'Diese Frage gibt es in dieser Sitzung nicht.',
  terminal_not_found: 'Dieses Terminal gibt es nicht. Vielleicht wurde es geschlossen.',
  login_code_not_found: 'Diesen Anmeldecode gibt es nicht. Vielleicht ist er abgelaufen.',
  token_not_found: 'Dieses Token oder diese Anmeldung gibt es nicht.',
  turn_not_found: 'Diese Nachricht gibt es in dieser Sitzung nicht.',
  checkpoint_not_found:
    'Der Stand vor dieser Runde wurde nicht aufbewahrt, darum kannst du sie nicht rückgängig machen.',
  nothing_to_redo: 'In dieser Sitzung gibt es nichts zu wiederholen.',
  files_changed: 'Dateien dieser Runde wurden seitdem geändert.',
  comparison_not_found: 'Diesen Vergleich gibt es nicht.',
  check_not_set:
    'Das Repository hat keinen Prüfbefehl. Ein Administrator setzt ihn mit PATCH /api/repos/ID {"settings": {"check": "npm test"}}.',
  workspace_missing:
    'Der Arbeitsbaum dieser Sitzung wurde entfernt. Ihr Verlauf ist weiter lesbar.',
  workspace_shared:
    'Die Sitzung arbeitet im Arbeitsbaum des Repositorys. Das geht nur mit einem eigenen Arbeitsbaum.',
  workspace_dirty: 'Es gibt Änderungen ohne Commit. Committe oder verwirf sie zuerst.',
  merge_conflict:
    'Die Änderungen stehen im Konflikt mit dem Branch. Nichts wurde geändert. Führe den Branch zuerst im Arbeitsbaum der Sitzung zusammen.',
  turn_running: 'Eine Runde läuft. Stoppe sie oder warte auf ihr Ende.',
  turn_not_waiting: 'Diese Nachricht wartet nicht mehr: Sie wurde gesendet oder entfernt.',
  turn_id_taken: 'Eine andere Nachricht mit dieser Kennung wurde schon gesendet.',
  option_not_found: 'Der Agent hat diese Option nicht.',
  permission_not_found: 'Diese Berechtigung gibt es in dieser Sitzung nicht.',
  repo_untrusted:
    'Vertraue zuerst diesem Repository: Agenten können Befehle aus seiner Konfiguration ausführen.',
  session_has_forks:
    'Andere Sitzungen wurden von dieser abgezweigt und beginnen mit ihrem Verlauf. Entferne sie zuerst.',
  session_not_ended: 'Die Sitzung ist aktiv. Beende sie zuerst.',
  session_ending: 'Die Sitzung wird gerade beendet. Versuche es gleich noch einmal.',
  session_archived: 'Die Sitzung ist archiviert und nur zum Lesen. Hole sie zuerst zurück.',
  session_not_active: 'Die Sitzung ist beendet. Setze sie zuerst fort.',
  permission_not_pending: 'Diese Berechtigung wurde schon beantwortet.',
  question_not_pending: 'Diese Frage wurde schon beantwortet.',
  agent_auth_required: 'Melde dich zuerst beim Agenten an.',
  extension_not_own:
    'Nur eigene Agenten lassen sich hier ändern. Dieser gehört zum Hub oder kommt aus einem anderen Ordner.',
  folder_taken: 'Einen Ordner mit diesem Namen gibt es schon. Wähle einen anderen Namen.',
  terminal_exited: 'Das Programm in diesem Terminal ist beendet. Öffne ein neues Terminal.',
  push_not_subscribed:
    'Dieses Gerät bekommt keine Benachrichtigungen. Schalte sie zuerst für dieses Gerät ein.',
  body_too_large: 'Die Anfrage ist zu groß. Sende weniger auf einmal.',
  unsupported_media_type: 'Die Anfrage muss application/json sein.',
  unknown_option: 'Die Berechtigung hat diese Option nicht. Sie ist noch offen.',
  wrong_answer: 'Die Antwort passt nicht zur Frage. Sie ist noch offen.',
  content_not_supported:
    'Der Agent nimmt Inhalte dieser Art nicht an. Sende sie als Text oder nutze einen anderen Agenten.',
  prompt_refused: 'Eine Regel dieses Hubs hat die Nachricht abgelehnt.',
  extension_unavailable:
    'Dieser Agent ist ausgeschaltet oder defekt. Einstellungen › Agenten und `quayside agents` zeigen den Grund.',
  push_not_possible: 'An diese Adresse lassen sich keine Benachrichtigungen senden.',
  invalid_settings: 'Die Einstellungen passen nicht zu diesem Agenten.',
  invalid_extension: 'Die Beschreibung des Agenten ist nicht gültig.',
  agent_not_installed: 'Der Agent ist nicht installiert. Installiere ihn und versuche es erneut.',
  command_not_found: 'Programm nicht gefunden. Prüfe seinen Namen und den PATH des Hubs.',
  connection_limit: 'Zu viele ACP-Clients sind verbunden. Schließe zuerst einen.',
  file_unreadable: 'Diese Datei lässt sich nicht lesen.',
  clone_limit: 'Es werden zu viele Repositorys geklont. Warte, oder brich eines ab.',
  terminal_limit: 'Zu viele Terminals sind offen. Schließe zuerst eines.',
  terminal_busy:
    'Das Programm in diesem Terminal liest seine Eingabe nicht. Warte oder schließe das Terminal.',
  session_limit:
    'Zu viele aktive Sitzungen. Beende eine oder warte eine Minute und versuche es erneut.',
  queue_full: 'In dieser Sitzung warten zu viele Nachrichten. Warte oder entferne eine.',
  too_many_attempts: 'Zu viele misslungene Anmeldungen. Warte eine Minute.',
  internal: 'Der Hub ist gescheitert. Sein Protokoll nennt den Grund.',
  terminals_unavailable: 'Terminals gibt es auf diesem Rechner nicht. Alles andere geht.',
  terminal_failed: 'Das Terminal ließ sich nicht starten.',
  git_failed: 'git ist in diesem Repository gescheitert. Das Protokoll des Hubs nennt den Grund.',
  agent_failed: 'Der Agent ließ sich nicht starten oder antwortet nicht mehr.',
  push_failed: 'Der Push-Dienst hat die Benachrichtigung abgelehnt.',
  database_unavailable: 'Die Datenbank des Hubs antwortet nicht. Versuche es gleich noch einmal.',
  hub_unreachable:
    'Der Rechner, auf dem das liegt, ist nicht erreichbar. Versuche es gleich noch einmal.',
  too_many_open_files:
    'Der Hub hat zu viele Dateien und Verbindungen offen. Schließe einige oder starte ihn mit einer höheren Grenze (ulimit -n).',
  shutting_down: 'Der Hub wird gerade beendet. Versuche es nach seinem nächsten Start noch einmal.',
  agent_timeout: 'Der Agent hat nicht rechtzeitig geantwortet. Versuche es noch einmal.',
  disk_full:
    'Ein Datenträger des Hubs ist voll: der seines Datenordners oder der für temporäre Dateien. Schaffe Platz.',
  storage_failed: 'Der Hub konnte seine Daten nicht speichern. Sein Protokoll nennt den Grund.',
}

/** Sentences with details of their own. */
const PATTERNS: readonly (readonly [english: RegExp, german: string])[] = [
  [/^The agent is signed in( \(.*\))?\.$/, 'Der Agent ist angemeldet$1.'],
  [
    /^The agent is not signed in( \(.*\))?\. Sign in with: (.*)$/,
    'Der Agent ist nicht angemeldet$1. Anmelden mit: $2',
  ],
  [
    /^The agent has shown nothing new for (\d+) seconds\. It may still be working\.$/,
    'Der Agent hat seit $1 Sekunden nichts Neues gezeigt. Vielleicht arbeitet er noch.',
  ],
  [/^The agent ended with exit code (\d+)\.$/, 'Der Agent endete mit Code $1.'],
  [
    /^The agent ended with exit code (\d+)\. Its last output: /,
    'Der Agent endete mit Code $1. Seine letzte Ausgabe: ',
  ],
  [/^The agent was ended by (\w+)\.$/, 'Der Agent wurde durch $1 beendet.'],
  [
    /^The agent was ended by (\w+)\. Its last output: /,
    'Der Agent wurde durch $1 beendet. Seine letzte Ausgabe: ',
  ],
  [/^The agent could not be started: /, 'Der Agent ließ sich nicht starten: '],
  [/^The agent answered: /, 'Der Agent antwortete: '],
  [/^Sign in to the agent first: /, 'Melde dich zuerst beim Agenten an: '],
  [
    /^The agent did not answer (\S+) within ([\d.]+) s\. Try again\.$/,
    'Der Agent hat $1 nicht innerhalb von $2\u00A0s beantwortet. Versuche es noch einmal.',
  ],
  [
    /^The pipe to the agent broke, .*$/,
    'Die Verbindung zum Agenten brach ab, deshalb hat der Hub ihn beendet. Setze die Sitzung fort, um ihn neu zu starten.',
  ],
  [
    /^The agent’s work could not be stored, .*$/,
    'Die Arbeit des Agenten ließ sich nicht speichern, deshalb hat der Hub ihn beendet. Prüfe den Datenträger des Datenordners und setze die Sitzung dann fort.',
  ],
  [
    /^The agent did not answer a cancel, .*$/,
    'Der Agent hat auf das Abbrechen nicht geantwortet, deshalb hat der Hub seinen Prozess beendet. Setze die Sitzung fort, um ihn neu zu starten.',
  ],
  [
    /^The hub stopped before the agent had finished\.$/,
    'Der Hub wurde beendet, bevor der Agent fertig war.',
  ],
  [/^The check was stopped\.$/, 'Die Prüfung wurde gestoppt.'],
  [/^The check was stopped after (\d+) minutes\.$/, 'Die Prüfung wurde nach $1 Minuten gestoppt.'],
  [/^The check ended while no hub was running\.$/, 'Die Prüfung endete, während kein Hub lief.'],
  [/^The check ended with (\w+)\.$/, 'Die Prüfung endete mit $1.'],
  [/^The check could not run: /, 'Die Prüfung konnte nicht laufen: '],
  [
    /^(\d+) sessions are more than the limit of (\d+) active ones\..*$/,
    '$1 Sitzungen sind mehr als die $2, die zugleich aktiv sein können. Erhöhe AGENT_MAX_SESSIONS, wo der Hub läuft, oder nimm weniger.',
  ],
  [
    /^There are (\d+) active sessions, so (\d+) more would exceed the limit of (\d+)\..*$/,
    'Es gibt $1 aktive Sitzungen; $2 weitere wären mehr als die $3, die zugleich aktiv sein können. Beende einige oder warte eine Minute.',
  ],
  [
    /^There are (\d+) active sessions, which is the limit\..*$/,
    'Es gibt $1 aktive Sitzungen, mehr gehen nicht. Beende eine oder warte eine Minute.',
  ],
]

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(NOTICES).map(
    ([code, german]) => [NOTICE_SENTENCES[code as never], german] as const,
  ),
  ...Object.entries(FAILURES).map(
    ([code, german]) => [ERRORS[code as ErrorCode].message, german] as const,
  ),
])

export function inGerman(text: string): string {
  const pattern = PATTERNS.find(([english]) => english.test(text))
  return SENTENCES.get(text) ?? (pattern ? text.replace(...pattern) : text)
}
