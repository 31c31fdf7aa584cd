// The texts of forks of a session.
import type { fork as english } from '../en/fork.js'
import type { Words } from '../en/words.js'

export const fork: Words<typeof english> = {
  forkHere: 'Hier abzweigen',
  aboutFork: 'Eine neue Sitzung mit diesem Gespräch und diesen Dateien, auf einem eigenen Branch',
  forkSession: 'Sitzung abzweigen',
  forking: 'Wird abgezweigt …',
  openOther: 'Andere Sitzung öffnen',
  showPrimer: 'Text zeigen',
  primerTitle: 'Was der Agent bekommt',
  aboutPrimer:
    'Dieser Text steht vor deiner nächsten Nachricht. Sonst erinnert sich der Agent nicht daran.',
  primerSent: 'Der Agent hat den Text schon bekommen.',
  editAgain: 'Bearbeiten und erneut senden',
  aboutEditing:
    'Mit der geänderten Nachricht beginnt eine Abzweigung, mit den Dateien von davor. Dieses Gespräch und seine Dateien bleiben, wie sie sind.',
  message: 'Nachricht',
  sendInFork: 'In einer Abzweigung senden',
  asNewMessage: 'Als neue Nachricht verwenden',
}
