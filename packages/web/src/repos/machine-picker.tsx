// The machine that a new session runs on, when several have repositories: one with a repository of the same name stays at that name.
import type { HubPlace, Repo } from '@quayside/protocol'
import { useLists } from '../hub/hub-context.js'
import { Picker } from '../shared/controls/picker.js'
import { sinceTime } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'

const words = strings.home

type MachinePickerProps = {
  readonly repoId: string | undefined
  readonly onChoose: (repoId: string) => void
}

export function MachinePicker({ repoId, onChoose }: MachinePickerProps) {
  const { repos } = useLists()
  const machines = machinesOf(repos)
  const repo = repos.find(({ id }) => id === repoId)
  if (machines.length < 2) return null

  function choose(machineId: string) {
    const there = repos.filter(({ hub }) => hub?.id === machineId)
    const chosen = there.find(({ name }) => name === repo?.name) ?? there[0]
    if (chosen) onChoose(chosen.id)
  }

  return (
    <Picker
      label={words.machine}
      icon="machine"
      value={repo?.hub?.id}
      choices={machines.map((hub) => ({ id: hub.id, name: hub.name, note: noteOf(hub) }))}
      onChange={choose}
    />
  )
}

/** The machine of the chosen repository, when it is another one. */
export function MachineLine({ repoId }: { readonly repoId: string | undefined }) {
  const hub = useMachineOf(repoId)
  if (hub === undefined || hub.state === 'here') return null
  return (
    <p className={hub.state === 'away' ? 'problem' : 'muted'} role="status">
      {hub.state === 'away'
        ? words.machineAway(hub.name, sinceTime(hub.since))
        : words.runsOn(hub.name)}
    </p>
  )
}

/** True for a repository of another machine. */
export function useIsElsewhere(repoId: string | undefined): boolean {
  return (useMachineOf(repoId)?.state ?? 'here') !== 'here'
}

function useMachineOf(repoId: string | undefined): HubPlace | undefined {
  return useLists().repos.find(({ id }) => id === repoId)?.hub
}

function machinesOf(repos: readonly Repo[]): readonly HubPlace[] {
  const byId = new Map(repos.flatMap(({ hub }) => (hub ? [[hub.id, hub] as const] : [])))
  return [...byId.values()]
}

function noteOf(hub: HubPlace): string | undefined {
  if (hub.state === 'away') return words.awayMachine(sinceTime(hub.since))
  return hub.state === 'here' ? words.thisMachine : undefined
}
