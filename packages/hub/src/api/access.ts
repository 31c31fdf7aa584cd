// Implements the commands for the caller, sign-in codes for more devices, tokens of programs, and the ways to the hub from
// other devices.
import type { accessCommands } from '@quayside/protocol/schemas'
import type { Room } from './room.js'

export const access: Room<typeof accessCommands> = (deps) => {
  const { signIn, credentials, reach, remoteHosts } = deps
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
    'reach/get': () => reach.describe(),
    'host/add': ({ hostname, ...options }) => remoteHosts.add(hostname, options),
    'host/remove': ({ hostname }) => remoteHosts.remove(hostname),
  }
}
