// The pickers below the task: repository, work tree, agent and the agent's options.
import type { Extension } from '@quayside/protocol'
import { agentState, type AgentState } from '../agents/agent-state.js'
import { AgentOptions } from '../composer/option-pickers.js'
import { useLists, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { Picker } from '../shared/controls/picker.js'
import { Link, settingsPath } from '../shared/route.js'
import { strings } from '../strings/strings.js'
import { RescanButton } from '../repos/rescan-button.js'
import { MachinePicker, useIsElsewhere } from '../repos/machine-picker.js'
import type { NewSessionChoice } from './use-new-session.js'
import { WorkTreePicker } from './work-tree-picker.js'

const words = strings.home

type NewSessionPickersProps = {
  readonly choice: NewSessionChoice
  /** Shows how to install an agent that cannot be chosen yet. */
  readonly onInstall: (agent: Extension) => void
  readonly onSettings: () => void
  readonly onAddRepo: () => void
  /** Asks for the name of a branch to begin from. */
  readonly onNameBranch: () => void
  /** Asks for the agents that get the task at the same time. */
  readonly onCompare: () => void
}

export function NewSessionPickers(props: NewSessionPickersProps) {
  const { choice, onInstall, onAddRepo, onNameBranch, onCompare } = props
  const { repos, agents } = useLists()
  const probes = useProbes()
  const { agent, repoId, hubId, compared } = choice
  // The states of agents are those of this machine.
  const isElsewhere = useIsElsewhere({ repoId, hubId })
  const stated = agents.map((one) => ({ one, state: agentState(one, probes[one.id]) }))
  const choices = stated
    .toSorted((a, b) => Number(isMissing(a.state)) - Number(isMissing(b.state)))
    .map(({ one: { id, name }, state }) => ({ id, name, note: isElsewhere ? '' : state.words }))

  function chooseAgent(id: string) {
    const missing = stated.find(({ one, state }) => one.id === id && isMissing(state))
    if (missing && !isElsewhere) onInstall(missing.one)
    else choice.chooseAgent(id)
  }

  return (
    <>
      <Picker
        label={words.repo}
        icon="repo"
        value={repoId}
        choices={repos.map(({ id, name, branch, hub }) => ({
          id,
          name,
          note: [hub?.name, branch].filter(Boolean).join(' · '),
        }))}
        onChange={(id) => choice.chooseRepo(id)}
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
      <MachinePicker place={{ repoId, hubId }} onChoose={choice.chooseRepo} />
      <WorkTreePicker choice={choice} onNameBranch={onNameBranch} />
      {compared.length > 0 ? (
        <>
          <button
            type="button"
            className="picker"
            aria-label={words.comparing(compared.length)}
            onClick={onCompare}
          >
            <span className="picker-name">{words.agentCount(compared.length)}</span>
          </button>
          <button
            type="button"
            className="picker"
            aria-label={words.compareNone}
            onClick={() => choice.compare([])}
          >
            <Icon name="cross" size={14} />
          </button>
        </>
      ) : (
        <>
          <Picker
            label={words.agent}
            value={agent?.id}
            choices={choices}
            onChange={chooseAgent}
            footer={
              <>
                <button type="button" className="quiet-button" onClick={onCompare}>
                  {words.compare}
                </button>
                <Link className="quiet-button" href={settingsPath('agents')}>
                  {words.manageAgents}
                </Link>
              </>
            }
          />
          <OneAgent {...props} />
        </>
      )}
    </>
  )
}

/** The options and settings of a single agent. */
function OneAgent({ choice, onSettings }: NewSessionPickersProps) {
  const { agent, settings } = choice
  return (
    <>
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
