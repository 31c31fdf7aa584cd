// The machine that a new session runs on, when several have repositories: one with a repository of the same name stays at that name.
import type { HubPlace, Repo } from '@quayside/protocol'
import { useLists } from '../hub/hub-context.js'
import { Picker } from '../shared/controls/picker.js'
import { sinceTime } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'

const words = strings.home

export type ChosenPlace = {
  readonly repoId: string | undefined
  /** The machine, when the person chose one of several that have the repository. */
  readonly hubId?: string | undefined
}

type MachinePickerProps = {
  readonly place: ChosenPlace
  readonly onChoose: (repoId: string, hubId?: string) => void
}

export function MachinePicker({ place, onChoose }: MachinePickerProps) {
  const { repos } = useLists()
  const machines = machinesOf(repos)
  const repo = repos.find(({ id }) => id === place.repoId)
  const current = useMachineOf(place)
  if (machines.length < 2) return null

  function choose(machineId: string) {
    if (repo?.hubs?.some(({ id }) => id === machineId)) return onChoose(repo.id, machineId)
    const there = repos.filter((one) => isOn(one, machineId))
    const chosen = there.find(({ name }) => name === repo?.name) ?? there[0]
    if (chosen) onChoose(chosen.id, chosen.hubs && machineId)
  }

  return (
    <Picker
      label={words.machine}
      icon="machine"
      value={current?.id}
      choices={machines.map((hub) => ({ id: hub.id, name: hub.name, note: noteOf(hub) }))}
      onChange={choose}
    />
  )
}

/** The machine of the chosen repository, when it is another one. */
export function MachineLine({ place }: { readonly place: ChosenPlace }) {
  const hub = useMachineOf(place)
  if (hub === undefined || hub.state === 'here') return null
  return (
    <p className={hub.state === 'away' ? 'problem' : 'muted'} role="status">
      {hub.state === 'away'
        ? words.machineAway(hub.name, sinceTime(hub.since))
        : words.runsOn(hub.name)}
    </p>
  )
}

/** True when a session starts on another machine. */
export function useIsElsewhere(place: ChosenPlace): boolean {
  return (useMachineOf(place)?.state ?? 'here') !== 'here'
}

function useMachineOf({ repoId, hubId }: ChosenPlace): HubPlace | undefined {
  const repo = useLists().repos.find(({ id }) => id === repoId)
  return repo?.hubs?.find(({ id }) => id === hubId) ?? repo?.hub
}

function machinesOf(repos: readonly Repo[]): readonly HubPlace[] {
  const all = repos.flatMap(({ hub, hubs = [] }) => [...(hub ? [hub] : []), ...hubs])
  return [...new Map(all.map((hub) => [hub.id, hub])).values()]
}

function isOn({ hub, hubs = [] }: Repo, machineId: string): boolean {
  return [hub, ...hubs].some((one) => one?.id === machineId)
}

function noteOf(hub: HubPlace): string | undefined {
  if (hub.state === 'away') return words.awayMachine(sinceTime(hub.since))
  return hub.state === 'here' ? words.thisMachine : undefined
}
