// Starts a session, and asks on the way what has to be asked: trust in the repository, or a sign-in of the agent.
import {
  type AgentSession,
  ClientError,
  type PromptInput,
  type SignInMethod,
} from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { AgentSignIn } from '../agents/agent-sign-in.js'
import { useLists, useMay } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { navigate, sessionPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { strings } from '../strings/strings.js'
import { TrustDialog } from '../repos/trust-dialog.js'
import type { OptionValues, Settings } from './use-new-session.js'

type StartRequest = {
  readonly repoId: string
  readonly agentId: string | undefined
  readonly settings: Settings
  /** What is set of the agent's own options before it is prompted. */
  readonly options: OptionValues
  /** The first prompt, if there is one. */
  readonly prompt?: PromptInput
}

type Asked = {
  readonly request: StartRequest
  readonly error: ClientError
  /** Tries again, or gives up with the error. */
  readonly settle: (isSettled: boolean) => void
}

export type Starting = {
  /** The repository in which a session starts right now. */
  readonly startingIn: string | undefined
  readonly isSlow: boolean
  /** Rejects with the hub's error when it cannot be started. */
  readonly start: (request: StartRequest) => Promise<void>
  readonly dialog: ReactNode
}

const SLOW_MS = 8_000

export function useStart(): Starting {
  const client = useHub()
  const [startingIn, setStartingIn] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  // To trust a repository and to sign an agent in is for admins.
  const maySettle = useMay('admin')
  const isSlow = useSlow(startingIn !== undefined && asked === undefined)

  async function start(request: StartRequest): Promise<void> {
    setStartingIn(request.repoId)
    try {
      const session = await create(request)
      await choose(session, request.options)
      if (request.prompt) await session.prompt(request.prompt).accepted
      navigate(sessionPath(session.id))
    } finally {
      setStartingIn(undefined)
    }
  }

  async function create(request: StartRequest) {
    const { repoId: repo, agentId, settings } = request
    for (;;) {
      try {
        return await client.newSession({ repo, settings, ...(agentId && { agent: agentId }) })
      } catch (error) {
        if (!(error instanceof ClientError) || !maySettle || !canAsk(error)) throw error
        const isSettled = await new Promise<boolean>((settle) =>
          setAsked({ request, error, settle }),
        )
        setAsked(undefined)
        if (!isSettled) throw error
      }
    }
  }

  return { startingIn, isSlow, start, dialog: asked && <Question asked={asked} /> }
}

/** What an agent no longer offers is said, and nothing that a prompt should wait for. */
async function choose(session: AgentSession, options: OptionValues): Promise<void> {
  for (const [id, value] of Object.entries(options))
    await session
      .setConfig(id, value)
      .catch((error: unknown) =>
        showToast({ text: `${strings.home.optionKept(id)} ${problemOf(error)}` }),
      )
}

function canAsk({ code }: ClientError): boolean {
  return code === 'repo_untrusted' || code === 'agent_auth_required'
}

function Question({ asked: { request, error, settle } }: { asked: Asked }) {
  const { agents } = useLists()
  const agent = agents.find(({ id }) => id === request.agentId) ?? agents[0]
  if (error.code === 'repo_untrusted')
    return <TrustDialog repoId={request.repoId} details={error.details} onSettled={settle} />
  if (!agent) return null
  return (
    <AgentSignIn
      agent={agent}
      methods={methodsOf(error)}
      onClose={() => settle(false)}
      onDone={() => settle(true)}
    />
  )
}

/** The error lists ACP's own methods, which say by their type how they work. */
function methodsOf({ details }: ClientError): readonly SignInMethod[] {
  const methods = details['methods']
  if (!Array.isArray(methods)) return []
  return methods.map((method: SignInMethod & { type?: string }) => ({
    ...method,
    how: method.how ?? (method.type === 'terminal' ? 'terminal' : 'agent'),
  }))
}

function useSlow(isStarting: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isStarting) return undefined
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isStarting])
  return isSlow
}
