// Answers to a permission that combine an option of the agent with another command.
import { ClientError } from '@quayside/client'
import type { SessionView } from '@quayside/client/react'
import type { PermissionOption } from '@quayside/protocol'
import { allow, type Allowance } from '../context/session-rules.js'

type Feedback = {
  readonly permissionId: string
  readonly rejection: PermissionOption
  readonly text: string
}

/** Queues the message first and moves it to the front, so that the agent receives it right after the rejection. */
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
    // Another device has answered, so the message is withdrawn.
    await session.queue.remove(turn.id)
    throw error
  }
}

/** A permission, and its option that allows the call once. */
export type Alike = { readonly permissionId: string; readonly once: PermissionOption }

/** Allows each of them once. One that another device has answered meanwhile is left as it is. */
export async function allowAlike(view: SessionView, alike: readonly Alike[]): Promise<void> {
  const answers = alike.map(({ permissionId, once }) =>
    view.respond(permissionId, once.optionId).catch((error: unknown) => {
      if (!isAnswered(error)) throw error
    }),
  )
  await Promise.all(answers)
}

/** Another device was faster: its answer arrives as an event. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'permission_not_pending'
}

type SessionAllowance = {
  readonly permissionId: string
  readonly once: PermissionOption
  readonly allowance: Allowance
}

/** Allows this call, and similar calls for the rest of the session. */
export async function allowForSession(view: SessionView, answer: SessionAllowance): Promise<void> {
  await view.respond(answer.permissionId, answer.once.optionId)
  await view.session?.change(allow(answer.allowance))
}
