// Answers to a permission that are more than one option of the agent.
import type { SessionView } from '@quayside/client/react'
import type { PermissionOption } from '@quayside/protocol'
import { allow, type Allowance } from '../context/session-rules.js'

type Instead = {
  readonly permissionId: string
  readonly rejection: PermissionOption
  readonly text: string
}

/** It is the next message by the time the agent hears that it may not: otherwise one that waits would come before. */
export async function sayInstead(view: SessionView, instead: Instead): Promise<void> {
  const { session, queue, respond } = view
  if (!session) return
  const turn = session.prompt(instead.text)
  const { queued } = await turn.accepted
  const [first] = queue
  if (queued && first) await session.queue.move(turn.id, first.turnId)
  try {
    await respond(instead.permissionId, instead.rejection.optionId)
  } catch (error) {
    // Somebody else has decided: then there is nothing to say instead.
    await session.queue.remove(turn.id)
    throw error
  }
}

type FromNowOn = {
  readonly permissionId: string
  readonly once: PermissionOption
  readonly allowance: Allowance
}

/** This one, and whatever is like it for as long as the session lasts. */
export async function allowFromNowOn(view: SessionView, answer: FromNowOn): Promise<void> {
  await view.respond(answer.permissionId, answer.once.optionId)
  await view.session?.change(allow(answer.allowance))
}
