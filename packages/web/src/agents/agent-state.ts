// The state of an agent as a text and a colour: from a probe of this page, else from the last probe that the hub knows.
import type { Extension } from '@quayside/protocol'
import { duration } from '../shared/text/times.js'
import { strings } from '../strings/strings.js'
import type { ProbeState } from '../hub/agent-probes.js'

type AgentLook = 'ok' | 'warn' | 'bad' | 'muted'
export type AgentState = {
  readonly is: 'looking' | 'ready' | 'needs_sign_in' | 'not_installed' | 'broken' | 'unknown'
  readonly look: AgentLook
  readonly words: string
}

const words = strings.agents
const STATES = {
  ready: { look: 'ok', words: words.ready },
  needs_sign_in: { look: 'warn', words: words.needsSignIn },
  not_installed: { look: 'muted', words: words.notInstalled },
  broken: { look: 'bad', words: words.broken },
} as const

export function agentState(agent: Extension, probed: ProbeState | undefined): AgentState {
  if (agent.state === 'broken') return { is: 'broken', ...STATES.broken }
  if (agent.state === 'disabled') return { is: 'unknown', look: 'muted', words: words.disabled }
  switch (probed?.is) {
    case 'waiting':
      return { is: 'looking', look: 'muted', words: words.looking }
    case 'looking': {
      const { downloadMs } = probed
      const doing =
        downloadMs === undefined ? words.looking : words.downloading(duration(downloadMs))
      return { is: 'looking', look: 'muted', words: doing }
    }
    case 'failed':
      return { is: 'broken', look: 'bad', words: probed.problem }
    case 'known': {
      const { state, version, initializeMs } = probed.probe
      const starts = initializeMs === undefined ? '' : words.startsIn(duration(initializeMs))
      return described(state, version, starts)
    }
    default:
      return remembered(agent)
  }
}

function remembered({ installed, lastProbe }: Extension): AgentState {
  if (lastProbe) return described(lastProbe.state, lastProbe.version)
  if (installed === false) return described('not_installed')
  return { is: 'unknown', look: 'muted', words: words.unknown }
}

function described(is: keyof typeof STATES, ...facts: (string | undefined)[]): AgentState {
  const { look, words: label } = STATES[is]
  return { is, look, words: [label, ...(is === 'ready' ? facts : [])].filter(Boolean).join(' · ') }
}
