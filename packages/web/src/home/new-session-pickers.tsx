// Under the task: which repository, which agent, and the settings that its sessions have.
import { useState } from 'react'
import { agentState } from '../agents/agent-state.js'
import { SettingsForm } from '../settings/settings-form.js'
import { Dialog } from '../shared/dialog.js'
import { useHub, useLists, useProbes } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { Picker } from '../shared/picker.js'
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings.js'
import type { NewSessionChoice } from './use-new-session.js'

const words = strings.home

export function NewSessionPickers({ choice }: { choice: NewSessionChoice }) {
  const { repos, agents } = useLists()
  const probes = useProbes()
  const { agent, repoId, settings } = choice
  const [isSettingUp, setSettingUp] = useState(false)
  const base = repos.find(({ id }) => id === repoId)?.path

  return (
    <>
      <Picker
        label={words.repo}
        icon="repo"
        value={repoId}
        choices={repos.map(({ id, name, branch }) => ({ id, name, note: branch }))}
        onChange={choice.chooseRepo}
        footer={<Rescan />}
      />
      <Picker
        label={words.agent}
        value={agent?.id}
        choices={agents.map((one) => ({
          id: one.id,
          name: one.name,
          note: agentState(one, probes[one.id]).words,
        }))}
        onChange={choice.chooseAgent}
        footer={
          <Link className="quiet-button" href={settingsPath('agents')}>
            {words.manageAgents}
          </Link>
        }
      />
      {agent && (
        <button
          type="button"
          className="picker"
          aria-label={words.settings(agent.name)}
          onClick={() => setSettingUp(true)}
        >
          <Icon name="gear" size={14} />
          {Object.keys(settings).length > 0 && <b>{Object.keys(settings).length}</b>}
        </button>
      )}
      {agent && isSettingUp && (
        <Dialog title={words.settings(agent.name)} onClose={() => setSettingUp(false)}>
          <SettingsForm
            agentId={agent.id}
            base={base}
            values={settings}
            onSave={async (changed) => {
              choice.changeSettings(changed)
              setSettingUp(false)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function Rescan() {
  const { lists } = useHub()
  const [isScanning, setScanning] = useState(false)

  async function scan() {
    setScanning(true)
    await lists.scan()
    setScanning(false)
  }

  return (
    <button
      type="button"
      className="quiet-button"
      disabled={isScanning}
      onClick={() => void scan()}
    >
      <Icon name="refresh" size={14} />
      {isScanning ? words.rescanning : words.rescan}
    </button>
  )
}
