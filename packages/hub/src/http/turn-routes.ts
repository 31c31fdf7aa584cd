// REST for what happens in a session: prompts, cancel, permissions and their answers.
import {
  answerPermissionSchema,
  answerQuestionSchema,
  cancelSchema,
  promptBlocks,
  promptSchema,
  setOptionSchema,
} from '@quayside/protocol/schemas'
import { Router } from 'express'
import { principalOf } from './principal.js'
import type { SessionDeps } from './session-routes.js'

export function turnRoutes({ sessions, reader }: SessionDeps): Router {
  const routes = Router()

  routes.post('/:id/prompt', async (request, response) => {
    const wish = promptSchema.parse(request.body)
    const session = await sessions.requireActive(request.params.id)
    const by = principalOf(request).name
    response.status(202).json(await session.prompt(promptBlocks(wish), by, wish.id))
  })

  routes.post('/:id/cancel', async (request, response) => {
    const wish = cancelSchema.parse(request.body ?? {})
    const session = await sessions.requireActive(request.params.id)
    await session.cancel({ ...wish, by: principalOf(request).name })
    response.json(await reader.requireSummary(session.id))
  })

  routes.get('/:id/permissions', async (request, response) => {
    const { id } = await reader.requireSummary(request.params.id)
    response.json({ permissions: sessions.findLive(id)?.decisions.permissions.list() ?? [] })
  })

  routes.post('/:id/permissions/:permissionId', async (request, response) => {
    const outcome = permissionOutcome(answerPermissionSchema.parse(request.body))
    const session = await sessions.requireActive(request.params.id)
    const by = principalOf(request).name
    response.json(
      await session.decisions.permissions.answer(request.params.permissionId, outcome, by),
    )
  })

  return routes
}

export function questionRoutes({ sessions, reader }: SessionDeps): Router {
  const routes = Router()

  routes.get('/:id/questions', async (request, response) => {
    const { id } = await reader.requireSummary(request.params.id)
    response.json({ questions: sessions.findLive(id)?.decisions.questions.list() ?? [] })
  })

  routes.post('/:id/questions/:questionId', async (request, response) => {
    const answer = answerQuestionSchema.parse(request.body)
    const session = await sessions.requireActive(request.params.id)
    const by = principalOf(request).name
    response.json(await session.decisions.questions.answer(request.params.questionId, answer, by))
  })

  routes.put('/:id/options/:optionId', async (request, response) => {
    const { value } = setOptionSchema.parse(request.body)
    const session = await sessions.requireActive(request.params.id)
    const by = principalOf(request).name
    response.json(await session.setOption(request.params.optionId, value, by))
  })

  return routes
}

export function permissionOutcome(answer: { optionId?: string | undefined }) {
  return answer.optionId === undefined
    ? ({ outcome: 'cancelled' } as const)
    : ({ outcome: 'selected', optionId: answer.optionId } as const)
}
