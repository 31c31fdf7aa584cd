// The catalogue in English; en/ has a file for each area.
import { agents } from './en/agents.js'
import { home } from './en/home.js'
import { panels } from './en/panels.js'
import { review } from './en/review.js'
import { session } from './en/session.js'
import { sessions } from './en/sessions.js'
import { settings } from './en/settings.js'
import { shell } from './en/shell.js'
import { workspace } from './en/workspace.js'

export const english = {
  ...shell,
  ...sessions,
  ...home,
  ...agents,
  ...settings,
  session,
  panels,
  review,
  workspace,
} as const
