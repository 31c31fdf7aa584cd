// The catalogue in German; de/ has a file for each area.
import { agents } from './de/agents.js'
import { home } from './de/home.js'
import { panels } from './de/panels.js'
import { review } from './de/review.js'
import { session } from './de/session.js'
import { sessions } from './de/sessions.js'
import { settings } from './de/settings.js'
import { shell } from './de/shell.js'
import { workspace } from './de/workspace.js'
import type { Strings } from './strings.js'

export const german: Strings = {
  ...shell,
  ...sessions,
  ...home,
  ...agents,
  ...settings,
  session,
  panels,
  review,
  workspace,
}

export { inGerman } from './de/hub-sentences.js'
