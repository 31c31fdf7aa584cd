// Which repository, which agent and which settings the next session gets: as the address asks, else as last time.
import type { Extension } from '@quayside/protocol'
import { useState } from 'react'
import { useLists } from '../shared/hub-context.js'
import type { FieldValue } from '../shared/schema-field.js'

export type Settings = Readonly<Record<string, FieldValue>>

export type NewSessionChoice = {
  readonly repoId: string | undefined
  readonly agent: Extension | undefined
  /** Only what was chosen; for the rest the agent's own defaults count. */
  readonly settings: Settings
  readonly chooseRepo: (id: string) => void
  readonly chooseAgent: (id: string) => void
  readonly changeSettings: (settings: Settings) => void
}

type Asked = { readonly repo?: string | undefined; readonly agent?: string | undefined }
/** What was chosen last in each repository. */
type Remembered = { readonly repoId?: string; readonly agents: Readonly<Record<string, string>> }

const KEY = 'quayside.new-session'

export function useNewSession(asked: Asked): NewSessionChoice {
  const { repos, agents } = useLists()
  const [kept, setKept] = useState(read)
  const [settings, setSettings] = useState<Settings>({})
  const repo =
    repos.find(({ id, name }) => id === asked.repo || name === asked.repo) ??
    repos.find(({ id }) => id === kept.repoId) ??
    repos[0]
  const lastAgent = kept.agents[repo?.id ?? ''] ?? kept.agents['']
  const agent =
    agents.find(({ id }) => id === asked.agent) ??
    agents.find(({ id }) => id === lastAgent) ??
    agents.find(({ lastProbe }) => lastProbe?.state === 'ready') ??
    agents[0]

  function keep(remembered: Remembered) {
    setKept(remembered)
    try {
      localStorage.setItem(KEY, JSON.stringify(remembered))
    } catch {
      // Then it is chosen again next time.
    }
  }

  return {
    repoId: repo?.id,
    agent,
    settings,
    chooseRepo: (repoId) => keep({ ...kept, repoId }),
    chooseAgent: (id) => {
      keep({ ...kept, agents: { ...kept.agents, [repo?.id ?? '']: id, '': id } })
      setSettings({})
    },
    changeSettings: setSettings,
  }
}

function read(): Remembered {
  try {
    const { repoId, agents } = JSON.parse(localStorage.getItem(KEY) ?? '') as Remembered
    return { ...(typeof repoId === 'string' && { repoId }), agents: Object(agents) }
  } catch {
    return { agents: {} }
  }
}
