// The choices for the next session: repository, agent, work tree and settings, from the address or from last time.
import type { AgentOption, Extension, Repo } from '@quayside/protocol'
import { useState } from 'react'
import { lastOptionsOf } from '../drafts/last-options.js'
import { useLists } from '../hub/hub-context.js'
import { navigate, newSessionPath } from '../shared/route.js'
import type { PlainValue } from '../shared/controls/schema-field.js'

export type Settings = Readonly<Record<string, PlainValue>>

/** Values of the agent's options by their ids. */
export type OptionValues = Readonly<Record<string, string | boolean>>

/** Settings of the place where the session works; none for the default of the repository. */
export type Place = { readonly workspace?: 'shared' | 'worktree'; readonly base?: string }

export type NewSessionChoice = {
  readonly repoId: string | undefined
  /** One of several machines that have the repository; by default the page's own. */
  readonly hubId: string | undefined
  readonly agent: Extension | undefined
  /** The last known options of the agent, with the choices made here. */
  readonly options: readonly AgentOption[]
  /** The choices that differ from the agent's defaults. */
  readonly chosen: OptionValues
  /** The chosen settings only; the others have their defaults. */
  readonly settings: Settings
  readonly place: Place
  readonly chooseRepo: (id: string, hubId?: string) => void
  readonly chooseAgent: (id: string) => void
  readonly chooseOption: (id: string, value: string | boolean) => void
  readonly choosePlace: (place: Place) => void
  readonly changeSettings: (settings: Settings) => void
  /** The agents that get the task instead of one. */
  readonly compared: readonly string[]
  readonly compare: (agents: readonly string[]) => void
}

type Asked = { readonly repo?: string | undefined; readonly agent?: string | undefined }
/** The last choices in each repository. */
type Remembered = {
  readonly repoId?: string
  readonly agents: Readonly<Record<string, string>>
  /** By repository and agent. */
  readonly options: Readonly<Record<string, OptionValues>>
  /** By repository. */
  readonly places: Readonly<Record<string, Place>>
}

const KEY = 'quayside.new-session'

export function useNewSession(asked: Asked): NewSessionChoice {
  const { repos, agents } = useLists()
  const [kept, setKept] = useState(read)
  const [settings, setSettings] = useState<Settings>({})
  const [hubId, setHubId] = useState<string>()
  const [compared, compare] = useState<readonly string[]>([])
  const repo = chosenRepo(repos, asked, kept)
  const lastAgent = kept.agents[repo?.id ?? ''] ?? kept.agents['']
  const agent =
    agents.find(({ id }) => id === asked.agent) ??
    agents.find(({ id }) => id === lastAgent) ??
    defaultAgent(agents)

  const key = `${repo?.id} ${agent?.id}`
  const chosen = kept.options[key] ?? {}
  const options = agent === undefined ? [] : lastOptionsOf(agent.id)

  /** Updates an address that names the repository or agent, so that it matches the page. */
  function show(next: Asked) {
    const isAsked = asked.repo !== undefined || asked.agent !== undefined
    if (isAsked) navigate(newSessionPath({ ...asked, ...next }), { replace: true })
  }

  function keep(remembered: Remembered) {
    setKept(remembered)
    write(remembered)
  }

  return {
    repoId: repo?.id,
    hubId: repo?.hubs?.find(({ id }) => id === hubId)?.id,
    agent,
    options: options.map((option) => ({ ...option, value: chosen[option.id] ?? option.value })),
    chosen,
    settings,
    place: { ...defaultPlace(repo), ...kept.places[repo?.id ?? ''] },
    chooseRepo: (repoId, hubId) => {
      setHubId(hubId)
      keep({ ...kept, repoId })
      show({ repo: repoId })
    },
    chooseAgent: (id) => {
      keep({ ...kept, agents: { ...kept.agents, [repo?.id ?? '']: id, '': id } })
      setSettings({})
      show({ agent: id })
    },
    chooseOption: (id, value) =>
      keep({ ...kept, options: { ...kept.options, [key]: { ...chosen, [id]: value } } }),
    choosePlace: (place) => keep({ ...kept, places: { ...kept.places, [repo?.id ?? '']: place } }),
    changeSettings: setSettings,
    compared,
    compare,
  }
}

function chosenRepo(repos: readonly Repo[], asked: Asked, kept: Remembered): Repo | undefined {
  return (
    repos.find(({ id, name }) => id === asked.repo || name === asked.repo) ??
    repos.find(({ id }) => id === kept.repoId) ??
    repos[0]
  )
}

function defaultPlace(repo: Repo | undefined): Place {
  return repo?.workspace === 'worktree' ? { workspace: 'worktree' } : {}
}

function defaultAgent(agents: readonly Extension[]): Extension | undefined {
  const byDefault = agents.filter(({ isDefault }) => isDefault)
  const ready = [...byDefault, ...agents].find(({ lastProbe }) => lastProbe?.state === 'ready')
  return ready ?? byDefault[0] ?? agents[0]
}

function write(remembered: Remembered): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(remembered))
  } catch {
    // Without storage the person chooses again next time.
  }
}

function read(): Remembered {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '') as Remembered
    const { repoId, agents, options, places } = kept
    const last = { agents: Object(agents), options: Object(options), places: Object(places) }
    return { ...(typeof repoId === 'string' && { repoId }), ...last }
  } catch {
    return { agents: {}, options: {}, places: {} }
  }
}
