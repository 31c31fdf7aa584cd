// The settings of the next session, by the schema of its agent. A dialog, because forms cannot be nested.
import { SettingsForm } from '../agents/settings-form.js'
import { Dialog } from '../shared/controls/dialog.js'
import { useLists } from '../hub/hub-context.js'
import { strings } from '../strings/strings.js'
import type { NewSessionChoice } from './use-new-session.js'

type NewSessionSettingsProps = {
  readonly choice: NewSessionChoice
  readonly onClose: () => void
}

export function NewSessionSettings({ choice, onClose }: NewSessionSettingsProps) {
  const { repos } = useLists()
  const { agent, repoId, settings } = choice
  if (!agent) return null
  return (
    <Dialog title={strings.home.settings(agent.name)} onClose={onClose}>
      <SettingsForm
        agentId={agent.id}
        session={{ base: repos.find(({ id }) => id === repoId)?.path, onLeave: onClose }}
        values={settings}
        onSave={async (changed) => {
          choice.changeSettings(changed)
          onClose()
        }}
      />
    </Dialog>
  )
}
