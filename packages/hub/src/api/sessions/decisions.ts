// Implements the commands for decisions that agents leave to people: permissions, questions and options.
import type { decisionCommands } from '@quayside/protocol/schemas'
import type { Room } from '../room.js'

export const decisions: Room<typeof decisionCommands> = ({ live, sessions, reader }) => {
  /** Undefined for a session that has ended: nothing is pending in it. */
  const findPending = async (sessionId: string) => {
    const { id } = await reader.requireSummary(sessionId)
    return live.find(id)?.decisions
  }
  return {
    'permission/list': async ({ sessionId }) => {
      const pending = await findPending(sessionId)
      return { permissions: pending?.permissions.list() ?? [] }
    },
    'permission/answer': async ({ sessionId, permissionId, optionId }, { by }) => {
      const session = await sessions.requireActive(sessionId)
      const outcome =
        optionId === undefined
          ? ({ outcome: 'cancelled' } as const)
          : ({ outcome: 'selected', optionId } as const)
      return session.decisions.permissions.answer(permissionId, outcome, by)
    },
    'question/list': async ({ sessionId }) => {
      const pending = await findPending(sessionId)
      return { questions: pending?.questions.list() ?? [] }
    },
    'question/answer': async ({ sessionId, questionId, ...answer }, { by }) => {
      const session = await sessions.requireActive(sessionId)
      return session.decisions.questions.answer(questionId, answer, by)
    },
    'option/set': async ({ sessionId, optionId, value }, { by }) => {
      const session = await sessions.requireWritable(sessionId)
      return session.setOption(optionId, value, by)
    },
  }
}
