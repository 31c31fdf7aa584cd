// The public list of @quayside/client/commands: any command of the hub by its name. Apart from the core, which does without the
// addresses of all commands.
import type { CallInput, CallName, CallOutput } from '@quayside/protocol'
import { ADDRESSES } from '@quayside/protocol/schemas'
import type { AgentChatClient } from './client.js'
import { type Abortable, requestOf } from './connection/http.js'

/** Runs a command by its name: `call('session/prompt', { sessionId, text: 'Hello' })`. docs/api.md describes all of them. */
export type Call = <Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  abortable?: Abortable,
) => Promise<CallOutput<Name>>

/** The function that runs commands of this client's hub, with the same errors as the client's own methods. */
export function commandsOf({ http }: AgentChatClient): Call {
  return (name, input, { signal } = {}) => {
    const { path, ...request } = requestOf(ADDRESSES[name], input)
    return http.send(path, { ...request, signal })
  }
}

export type { CallInput, CallName, CallOutput } from '@quayside/protocol'
