// The texts of pages of the settings that no other page uses.
import { count } from '../../shared/text/plural.js'
import type { settingsPages as english } from '../en/settings-pages.js'
import type { Words } from '../en/words.js'

export const settingsPages: Words<typeof english> = {
  ofMachine: {
    agents: (machine: string) =>
      `Agenten, Schlüssel und Einstellungen von ${machine}. Jeder Rechner hat eigene; ändere sie an seinem Hub.`,
    repositories: (machine: string) =>
      `Repositorys aller Rechner. Wurzelordner und hinzugefügte Ordner sind die von ${machine}; jeder Rechner hat eigene.`,
    processes: (machine: string) => `Die Prozesse von ${machine}. Jeder Rechner hat eigene.`,
    storage: (machine: string) =>
      `Die Festplatte von ${machine}. Die Datenbank gehört allen Rechnern gemeinsam.`,
  },
  repositories: {
    text: 'Git-Repositorys in den Stammordnern. Jede Sitzung arbeitet in einem davon.',
    settings: 'Einstellungen',
    settingsOf: (name: string) => `Einstellungen von ${name}`,
    workspace: 'Neue Sitzungen arbeiten in',
    asHub: 'Vorgabe des Hubs',
    ownWorkTree: 'einem eigenen Arbeitsbaum',
    include: 'Dateien, die Git nicht verfolgt',
    includeText:
      'Werden in jeden neuen Arbeitsbaum kopiert, zusätzlich zu denen aus .worktreeinclude. Ein Muster pro Zeile wie in .gitignore, zum Beispiel .env.',
    setup: 'Befehl zum Einrichten',
    setupText: 'Läuft in jedem neuen Arbeitsbaum vor der ersten Nachricht, zum Beispiel npm ci.',
    check: 'Befehl zum Prüfen',
    checkText: 'Prüft die Arbeit in einem Arbeitsbaum, zum Beispiel npm test.',
    addedRoots: 'Von außerhalb der Stammordner hinzugefügt',
    removeRoot: 'Entfernen',
    removeRootNamed: (path: string) => `${path} entfernen`,
    removeRootTitle: (path: string) => `${path} entfernen?`,
    removeRootText:
      'Der Ordner bleibt, wie er ist. Keine neue Sitzung kann darin arbeiten; seine Sitzungen lassen sich weiterhin lesen.',
  },
  processes: {
    text: 'Agenten und Terminals, die gerade auf dem Computer des Hubs laufen, mit allem, was sie gestartet haben.',
    empty: 'Gerade läuft nichts.',
    waits: 'Bereit für eine Sitzung',
    terminal: 'Terminal',
    stop: 'Beenden',
    stopNamed: (name: string, pid: number) => `${name} beenden, Prozess ${pid}`,
    stopTitle: (name: string) => `${name} beenden?`,
    stopText:
      'Alles, was dieser Prozess gestartet hat, endet mit ihm, auch die Sitzungen, für die er arbeitet.',
    refresh: 'Aktualisieren',
    processCount: (number: number) => count(number, 'Prozess', 'Prozesse'),
  },
  storage: {
    total: (size: string, free: string) => `${size} belegt, ${free} auf dem Datenträger frei.`,
    where: 'Ort',
    parts: {
      database: 'Sitzungen und ihre Ereignisse',
      media: 'Bilder und große Ausgaben',
      wire: 'Rohdaten-Protokolle',
      backups: 'Sicherungen',
      setAside: 'Beim Wiederherstellen beiseitegelegte Daten',
      other: 'Andere Dateien',
    },
    files: (number: number) => count(number, 'Datei', 'Dateien'),
    clean: 'Aufräumen',
    cleanText:
      'Entfernt Sitzungen, die vor langer Zeit endeten, endgültig. Aktive und angeheftete bleiben.',
    olderThan: 'Beendet vor mehr als (Tage)',
    plan: 'Vorschau',
    nothing: 'Keine Sitzung ist so lange beendet.',
    planned: (number: number, size: string) => `${count(number, 'Sitzung', 'Sitzungen')}, ${size}.`,
    cleanAction: (number: number) => `${count(number, 'Sitzung', 'Sitzungen')} entfernen`,
    cleanTitle: (number: number) => `${count(number, 'Sitzung', 'Sitzungen')} endgültig entfernen?`,
    cleaned: (number: number) => `${count(number, 'Sitzung ist', 'Sitzungen sind')} entfernt.`,
    untitled: 'Sitzung ohne Titel',
  },
  access: {
    you: 'Angemeldet als',
    signOut: 'In diesem Browser abmelden',
    adminOnly: 'Nur Admins können Zugänge verwalten.',
    scope: 'Zugriff',
    scopes: { read: 'Lesen', write: 'Schreiben', admin: 'Verwalten' },
    scopeTexts: {
      read: 'Sieht alles und ändert nichts.',
      write: 'Startet außerdem Sitzungen, schreibt Agenten und antwortet ihnen.',
      admin:
        'Öffnet außerdem Terminals, ändert Einstellungen und entscheidet, wer diesen Hub benutzen darf.',
    },
    name: 'Name',
    devices: 'Geräte und Token',
    kinds: { cookie: 'Browser', token: 'Token' },
    thisOne: 'Dieses Gerät',
    added: (ago: string) => `hinzugefügt: ${ago}`,
    used: (ago: string) => `benutzt: ${ago}`,
    neverUsed: 'nie benutzt',
    revoke: 'Widerrufen',
    revokeNamed: (name: string) => `${name} widerrufen`,
    revokeTitle: (name: string) => `${name} widerrufen?`,
    revokeText:
      'Die Anmeldung endet sofort, und was dort offen ist, schließt sich. Die Sitzungen laufen weiter.',
    revokeOwnText: 'Das ist der Browser, den du gerade benutzt: Du wirst sofort abgemeldet.',
    pair: 'Auf dem Telefon benutzen',
    ways: 'Wege zu diesem Hub',
    wayNames: { address: 'Adresse dieses Hubs', tailscale: 'Tailscale', network: 'Dein Netz' },
    wayProblems: {
      this_machine_only:
        'Der Hub ist nur auf diesem Computer erreichbar. Beende ihn und starte ihn so wieder, mit deinen eigenen Optionen:',
      no_network: 'Der Computer des Hubs hat keine Netzadresse.',
      not_installed: 'Nicht installiert. Es verbindet deine eigenen Geräte, wo immer sie sind.',
      not_connected: 'Installiert, aber nicht verbunden. Verbinde es zuerst:',
      not_served: 'Verbunden. Ein Befehl führt deine Geräte zum Hub:',
    },
    notEncrypted: 'unverschlüsselt: Jeder in diesem Netz kann mitlesen',
    checkWays: 'Noch einmal prüfen',
    warnsOnce:
      'Der Browser warnt einmal, weil keine Stelle das Zertifikat des Hubs unterschrieben hat. Vergleiche seinen SHA-256-Fingerabdruck:',
    linkHere: 'Dieser Link gilt nur auf diesem Computer, für einen anderen Browser.',
    pairText:
      'Erstellt einen Link, der ein Telefon oder einen Browser anmeldet. Er gilt einmal, zehn Minuten lang.',
    deviceName: 'Telefon',
    makeLink: 'Link erstellen',
    link: 'Link für das andere Gerät',
    qrCode: 'QR-Code des Links für das andere Gerät',
    scan: 'Mit der Kamera des Telefons scannen oder den Link dort öffnen. Wer ihn zuerst öffnet, ist angemeldet.',
    remaining: (time: string) => `Wartet auf das Gerät. Noch ${time}`,
    wasUsed: 'Der Link wurde benutzt: Das Gerät ist angemeldet.',
    expired: 'Niemand hat den Link rechtzeitig benutzt. Erstelle einen neuen.',
    withdraw: 'Link zurückziehen',
    withdrawn: 'Link zurückgezogen.',
    localOnly:
      'Noch erreicht kein Telefon diesen Hub. Gehe einen der Schritte oben und prüfe dann noch einmal.',
    newToken: 'Neues Token',
    newTokenText: 'Für ein Programm oder Skript, das es mit jeder Anfrage sendet.',
    tokenName: 'Übersicht',
    makeToken: 'Token erstellen',
    token: 'Das neue Token',
    tokenOnce: (name: string) =>
      `Das ist das Token „${name}“. Kopiere es jetzt: Es wird nicht noch einmal gezeigt.`,
    tokenKept: 'Fertig',
  },
  about: {
    version: 'Version',
    text: 'Quayside führt Coding-Agenten auf dem eigenen Computer aus und bewahrt alles auf, was in einer Sitzung geschieht.',
    docs: 'API-Dokumentation',
    openapi: 'OpenAPI-Dokument',
    licence: 'Lizenz',
  },
}
