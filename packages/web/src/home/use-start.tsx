// Starts a session, and asks for trust in the repository or a sign-in to the agent on the way.
import {
  type AgentSession,
  ClientError,
  type PromptInput,
  type SignInMethod,
} from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useLists, useMay } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { comparePath, navigate, sessionPath } from '../shared/route.js'
import { showToast } from '../shared/controls/toasts.js'
import { inOwnScript } from '../shared/controls/trouble.js'
import { strings } from '../strings/strings.js'
import { useRoom } from '../sessions/make-room.js'
import type { OptionValues, Settings } from './use-new-session.js'

type StartRequest = {
  readonly repoId: string
  /** One of several machines that have the repository. */
  readonly hubId?: string | undefined
  readonly agentId: string | undefined
  /** Several agents instead of that one. */
  readonly compared?: readonly string[]
  readonly settings: Settings
  /** The options to set before the first prompt. */
  readonly options: OptionValues
  /** The first prompt. */
  readonly prompt: PromptInput
}

type Asked = {
  readonly request: StartRequest
  readonly error: ClientError
  /** True retries; false gives up with the error. */
  readonly settle: (isSettled: boolean) => void
}

export type Starting = {
  /** The repository in which a session is starting. */
  readonly startingIn: string | undefined
  readonly isSlow: boolean
  /** Rejects with the hub's error when the session cannot start. */
  readonly start: (request: StartRequest) => Promise<void>
  readonly dialog: ReactNode
}

const SLOW_MS = 8_000
const AgentSignIn = inOwnScript(
  async () => (await import('../agents/agent-sign-in.js')).AgentSignIn,
)
const TrustDialog = inOwnScript(async () => (await import('../repos/trust-dialog.js')).TrustDialog)

export function useStart(): Starting {
  const client = useHub()
  const [startingIn, setStartingIn] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  // Trusting a repository and signing in to an agent need the scope admin.
  const maySettle = useMay('admin')
  const { withRoom, roomDialog } = useRoom()
  const isSlow = useSlow(startingIn !== undefined && asked === undefined)

  async function start(request: StartRequest): Promise<void> {
    setStartingIn(request.repoId)
    try {
      if (request.compared?.length) {
        navigate(comparePath(await compare(request)))
        return
      }
      const session = await create(request)
      await choose(session, request.options)
      await sendFirst(session, request.prompt)
      navigate(sessionPath(session.id))
    } finally {
      setStartingIn(undefined)
    }
  }

  function create(request: StartRequest) {
    const { repoId: repo, hubId, agentId, settings, prompt } = request
    const place = { repo, ...(hubId && { hub: hubId }) }
    const input = {
      ...place,
      settings,
      branch: wordsOf(prompt),
      ...(agentId && { agent: agentId }),
    }
    return settled(request, (makeRoom) => client.newSession({ ...input, makeRoom }))
  }

  /** Returns the id of the comparison. */
  async function compare(request: StartRequest): Promise<string> {
    const { repoId, hubId, compared: agents = [], prompt } = request
    const base = typeof request.settings['base'] === 'string' ? request.settings['base'] : undefined
    const { startComparison } = await import('../compare/start-comparison.js')
    const input = { repoId, ...(hubId && { hub: hubId }), agents, prompt, base }
    const { id } = await settled(request, (makeRoom) =>
      startComparison(client, { ...input, makeRoom }),
    )
    return id
  }

  /** Repeats `act` after each question that the person has settled. */
  async function settled<Result>(
    request: StartRequest,
    act: (makeRoom: boolean) => Promise<Result>,
  ): Promise<Result> {
    for (;;) {
      try {
        return await withRoom(act)
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

  const question = asked && <Question asked={asked} />
  return { startingIn, isSlow, start, dialog: question ?? roomDialog }
}

/** The hub names the branch of a work tree after them. */
function wordsOf(prompt: PromptInput): string {
  const texts = [prompt]
    .flat()
    .map((part) => (typeof part === 'string' ? part : part.type === 'text' ? part.text : ''))
  return texts.join(' ').trim().slice(0, 99)
}

/** A session whose first prompt the agent does not accept is removed: it would stay empty. */
async function sendFirst(session: AgentSession, prompt: PromptInput): Promise<void> {
  try {
    await session.prompt(prompt).accepted
  } catch (error) {
    if (error instanceof ClientError && error.code === 'content_not_supported')
      await session.delete({ purge: true })
    throw error
  }
}

/** Sets the agent's options. An option that it no longer offers is reported, but does not stop the prompt. */
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
  // One of several agents is named by the error.
  const agentId = error.details['extensionId'] ?? request.agentId
  const agent = agents.find(({ id }) => id === agentId) ?? agents[0]
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

/** The error lists ACP's auth methods, whose type says how they work. */
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
