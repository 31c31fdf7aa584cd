// Answers to a permission that are more than one option of the agent.
import type { SessionView } from '@quayside/client/react'
import type { PermissionOption } from '@quayside/protocol'
import { allow, type Allowance } from '../context/session-rules.js'

type Feedback = {
  readonly permissionId: string
  readonly rejection: PermissionOption
  readonly text: string
}

/** It is the next message by the time the agent hears that it may not: otherwise one that waits would come before. */
export async function rejectWithPrompt(view: SessionView, feedback: Feedback): Promise<void> {
  const { session, queue, respond } = view
  if (!session) return
  const turn = session.prompt(feedback.text)
  const { queued } = await turn.accepted
  const [first] = queue
  if (queued && first) await session.queue.move(turn.id, first.turnId)
  try {
    await respond(feedback.permissionId, feedback.rejection.optionId)
  } catch (error) {
    // Somebody else has decided: then there is nothing to say instead.
    await session.queue.remove(turn.id)
    throw error
  }
}

type SessionAllowance = {
  readonly permissionId: string
  readonly once: PermissionOption
  readonly allowance: Allowance
}

/** This one, and whatever is like it for as long as the session lasts. */
export async function allowForSession(view: SessionView, answer: SessionAllowance): Promise<void> {
  await view.respond(answer.permissionId, answer.once.optionId)
  await view.session?.change(allow(answer.allowance))
}
