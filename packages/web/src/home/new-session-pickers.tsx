// The pickers below the task: repository, agent and the agent's options.
import { agentState, type AgentState } from '../agents/agent-state.js'
import { AgentOptions } from '../composer/option-pickers.js'
import { useLists, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Picker } from '../shared/controls/picker.js'
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { RescanButton } from '../repos/rescan-button.js'
import type { NewSessionChoice } from './use-new-session.js'

const words = strings.home

type NewSessionPickersProps = {
  readonly choice: NewSessionChoice
  readonly onSettings: () => void
  readonly onAddRepo: () => void
}

export function NewSessionPickers({ choice, onSettings, onAddRepo }: NewSessionPickersProps) {
  const { repos, agents } = useLists()
  const probes = useProbes()
  const { agent, repoId, settings } = choice
  const stated = agents.map((one) => ({ one, state: agentState(one, probes[one.id]) }))
  const choices = stated
    .toSorted((a, b) => Number(isMissing(a.state)) - Number(isMissing(b.state)))
    .map(({ one: { id, name }, state }) => ({ id, name, note: state.words }))

  return (
    <>
      <Picker
        label={words.repo}
        icon="repo"
        value={repoId}
        choices={repos.map(({ id, name, branch }) => ({ id, name, note: branch }))}
        onChange={choice.chooseRepo}
        footer={
          <>
            <RescanButton className="quiet-button" />
            <button type="button" className="quiet-button" onClick={onAddRepo}>
              <Icon name="plus" size={14} />
              {strings.addRepo.add}
            </button>
          </>
        }
      />
      <Picker
        label={words.agent}
        value={agent?.id}
        choices={choices}
        onChange={choice.chooseAgent}
        footer={
          <Link className="quiet-button" href={settingsPath('agents')}>
            {words.manageAgents}
          </Link>
        }
      />
      <AgentOptions isRemembered options={choice.options} onChoose={choice.chooseOption} />
      {agent && (
        <button
          type="button"
          className="picker"
          aria-label={words.settings(agent.name)}
          onClick={onSettings}
        >
          <Icon name="gear" size={14} />
          {Object.keys(settings).length > 0 && <b>{Object.keys(settings).length}</b>}
        </button>
      )}
    </>
  )
}

function isMissing({ is }: AgentState): boolean {
  return is === 'not_installed'
}
