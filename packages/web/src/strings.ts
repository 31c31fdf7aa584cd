// Every text of the page that a person reads, in one catalogue; strings/ has a file for each area.
import { panels } from './strings/panels.js'
import { review } from './strings/review.js'
import { session } from './strings/session.js'
import { settings } from './strings/settings.js'
import { shell } from './strings/shell.js'

export const strings = { ...shell, ...settings, session, panels, review } as const
