// The composer of a session: sending, the agent's options, and the state of the turn.
import { strings } from '../strings/strings.js'
import { ClientError, type AgentSession } from '@quayside/client'
import { useConnection, useTimeline, type SessionView } from '@quayside/client/react'
import { useState } from 'react'
import { Composer } from '../composer/composer.js'
import { noPicturesOf } from '../composer/no-pictures.js'
import { inputOf, type Send } from '../drafts/draft.js'
import { OptionPickers } from '../composer/option-pickers.js'
import { UsageRing } from '../composer/usage-ring.js'
import { useRoom } from '../sessions/make-room.js'
import { useSessionContext } from './context/session-context.js'
import { EndedBanner } from './ended-banner.js'
import { useEscapeStop } from './use-escape-stop.js'

const words = strings.session

type SessionComposerProps = {
  readonly view: SessionView
  readonly agentName: string
  readonly repoId: string | undefined
  readonly attempt: (action: Promise<unknown>) => void
}

export function SessionComposer({ view, agentName, repoId, attempt }: SessionComposerProps) {
  const { sessionId, scrollAnchor } = useSessionContext()
  const { ids, item } = useTimeline(sessionId)
  const connection = useConnection()
  const [isStopping, setStopping] = useState(false)
  const { withRoom, roomDialog } = useRoom()
  const isActive = view.status === 'active'
  const isBusy = isActive && view.activity !== 'idle'
  const isEscaped = useEscapeStop(isBusy && !isStopping, stop)

  function stop() {
    setStopping(true)
    // Stopping also pauses the queue, so that the person can look first.
    const stopped = view.session?.stop() ?? view.cancel()
    attempt(stopped.finally(() => setStopping(false)))
  }

  const send: Send = async (text, attached, signal) => {
    const input = inputOf(text, attached)
    const { session } = view
    if (!session) await view.send(input)
    else if ((await awake(session, () => session.prompt(input, { signal }).accepted)).queued) return
    // Scrolls to the end, so that the person sees the message.
    scrollAnchor.goToEnd()
  }

  /** A sleeping session wakes when it is written to. */
  function awake<Result>(session: AgentSession, act: () => Promise<Result>): Promise<Result> {
    return withRoom(async (makeRoom) => {
      if (makeRoom) await session.resume({ makeRoom })
      return act()
    })
  }

  const sendNow: Send = async (text, attached, signal) => {
    if (!view.session) return send(text, attached, signal)
    const turn = view.session.prompt(inputOf(text, attached), { signal })
    const { queued } = await turn.accepted
    // The message is queued now; a later failure must not restore it to the composer.
    if (queued) attempt(goFirst(view.session, turn.id))
    scrollAnchor.goToEnd()
  }

  function restart() {
    const { session } = view
    if (session) attempt(withRoom((makeRoom) => session.resume({ makeRoom })))
  }

  function sendFirstWaiting() {
    const [first] = view.queue
    if (first && view.session) attempt(goFirst(view.session, first.turnId))
  }

  function sent(): readonly string[] {
    const texts = ids.map(item).flatMap((item) => (item?.type === 'user' ? [item.text] : []))
    return [...new Set(texts.toReversed())].filter((text) => text !== '')
  }

  const isOffline = connection.state === 'waiting'
  return (
    <>
      <EndedBanner view={view} agentName={agentName} onRestart={restart} />
      <Composer
        draftKey={sessionId}
        placeholder={placeholderOf(isActive, isBusy, agentName)}
        hint={hintOf({ isOffline, isStopping, isEscaped, isBusy })}
        isDisabled={view.is !== 'ready'}
        isStopping={isStopping}
        repoId={repoId}
        sessionId={sessionId}
        commands={view.commands}
        noPictures={noPicturesOf(view.capabilities, agentName)}
        sent={sent}
        // A message that is written while the queue is paused is sent before the queued ones.
        onSend={view.isQueuePaused ? sendNow : send}
        onSendNow={isBusy ? sendNow : undefined}
        onStop={isBusy ? stop : undefined}
        onEmpty={sendFirstWaiting}
        aside={<UsageRing usage={view.usage} />}
      >
        <OptionPickers view={view} attempt={attempt} />
      </Composer>
      {roomDialog}
    </>
  )
}

async function goFirst(session: AgentSession, turnId: string): Promise<void> {
  try {
    await session.queue.sendNow(turnId)
  } catch (error) {
    // The turn has started meanwhile.
    if (!(error instanceof ClientError && error.code === 'turn_not_waiting')) throw error
  }
}

function placeholderOf(isActive: boolean, isBusy: boolean, agentName: string): string {
  if (!isActive) return words.write
  return isBusy ? words.followUp : words.messageTo(agentName)
}

type Hints = {
  readonly isOffline: boolean
  readonly isStopping: boolean
  readonly isEscaped: boolean
  readonly isBusy: boolean
}

function hintOf({ isOffline, isStopping, isEscaped, isBusy }: Hints): string {
  if (isOffline) return words.offline
  if (isStopping) return words.stopping
  if (isEscaped) return words.escAgain
  const isMac = navigator.platform.startsWith('Mac')
  return isBusy ? words.hintBusy(isMac ? '⌘' : strings.keyboard.keys.control) : words.hintIdle
}
