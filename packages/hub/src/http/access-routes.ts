// Who is asking, more sign-in codes, and the tokens of programs.
import { createLoginCodeSchema, createTokenSchema } from '@quayside/protocol/schemas'
import { Router } from 'express'
import type { Credentials } from './credentials.js'
import { principalOf } from './principal.js'
import type { SignIn } from './sign-in.js'

export type AccessDeps = { readonly signIn: SignIn; readonly credentials: Credentials }

/** For `/api`, behind the sign-in. */
export function accessRoutes({ signIn, credentials }: AccessDeps): Router {
  const routes = Router()

  routes.get('/me', (request, response) => {
    const { name, scope, credentialId } = principalOf(request)
    response.json({ name, scope, ...(credentialId !== undefined && { id: credentialId }) })
  })

  routes.post('/logout', (request, response) => {
    response.setHeader('Set-Cookie', signIn.signOut(request.headers))
    response.status(204).end()
  })

  routes.post('/login-codes', (request, response) => {
    const wish = createLoginCodeSchema.parse(request.body ?? {})
    response.status(201).json(signIn.codes.mint(wish))
  })

  routes.get('/login-codes/:id', (request, response) => {
    response.json(signIn.codes.require(request.params.id))
  })

  routes.delete('/login-codes/:id', (request, response) => {
    signIn.codes.withdraw(request.params.id)
    response.status(204).end()
  })

  routes.get('/tokens', (_request, response) => {
    response.json({ tokens: credentials.list() })
  })

  routes.post('/tokens', (request, response) => {
    response.status(201).json(signIn.createToken(createTokenSchema.parse(request.body)))
  })

  routes.delete('/tokens/:id', (request, response) => {
    credentials.revoke(request.params.id)
    response.status(204).end()
  })

  return routes
}
