// The sentence with which a session begins whose agent does not ask before it acts, and the setting that helps.
import type { EventBody } from '@quayside/protocol'
import type { InstalledExtension } from '../../agents/extensions/extensions.js'
import type { Launch } from '../../agents/extensions/launch.js'

/** Empty for an agent that asks, or for which the hub asks. */
export function unaskedNotice(
  { manifest: { unasked }, settingsSchema }: InstalledExtension,
  { services = [] }: Launch,
): EventBody[] {
  if (unasked === undefined) return []
  const asksHub = services.includes('fs')
  if (asksHub && unasked.actions.every((action) => action === 'write')) return []
  const remedy = settingsSchema.fields.find(
    (field) => field.type === 'checkbox' && field.service === 'fs',
  )
  const advice =
    remedy === undefined || asksHub
      ? ''
      : ` Turn on "${remedy.label}" in the settings of the agent, and the hub asks before each write.`
  const message = `${unasked.sentence}${advice}`
  const { actions } = unasked
  return [
    {
      type: 'notice',
      data: { severity: 'warning', code: 'agent_acts_unasked', message, details: { actions } },
    },
  ]
}
