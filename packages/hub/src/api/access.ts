// Implements the commands for the caller, sign-in codes for more devices, and the tokens of programs.
import type { accessCommands, Handlers } from '@quayside/protocol/schemas'
import type { Credentials } from '../http/access/credentials.js'
import type { Caller } from '../http/access/principal.js'
import type { SignIn } from '../http/access/sign-in.js'

export type AccessDeps = { readonly signIn: SignIn; readonly credentials: Credentials }

export function access({
  signIn,
  credentials,
}: AccessDeps): Handlers<typeof accessCommands, Caller> {
  return {
    'access/me': (_input, { by, scope, credentialId }) => ({
      name: by,
      scope,
      ...(credentialId !== undefined && { id: credentialId }),
    }),
    'login-code/create': (input) => signIn.codes.create(input),
    'login-code/get': ({ loginCodeId }) => signIn.codes.require(loginCodeId),
    'login-code/withdraw': ({ loginCodeId }) => signIn.codes.withdraw(loginCodeId),
    'token/list': async () => ({ tokens: await credentials.list() }),
    'token/create': (input) => signIn.createToken(input),
    'token/revoke': ({ tokenId }) => credentials.revoke(tokenId),
  }
}
