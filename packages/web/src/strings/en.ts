// The catalogue in English; en/ has a file for each area.
import { panels } from './en/panels.js'
import { review } from './en/review.js'
import { session } from './en/session.js'
import { settings } from './en/settings.js'
import { shell } from './en/shell.js'

export const english = { ...shell, ...settings, session, panels, review } as const
