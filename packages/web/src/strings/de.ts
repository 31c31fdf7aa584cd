// The catalogue in German; de/ has a file for each area.
import { panels } from './de/panels.js'
import { review } from './de/review.js'
import { session } from './de/session.js'
import { settings } from './de/settings.js'
import { shell } from './de/shell.js'
import type { Strings } from './strings.js'

export const german: Strings = { ...shell, ...settings, session, panels, review }
