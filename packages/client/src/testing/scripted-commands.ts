// The commands of the scripted hub: those that the client's own methods need.
import type { CallInput, CallOutput, CommandAddress, QueuedPrompt } from '@quayside/protocol'
import { ClientError } from '../client-error.js'
import type { ScriptedHub, ScriptedRequest } from './scripted-hub.js'
import { USER, type ScriptedSession } from './scripted-session.js'

/** Functions by the address of their command, as in the hub's own table. A query holds texts. */
export type ScriptedCommands = {
  [Address in CommandAddress]?: (input: CallInput<Address>) => CallOutput<Address>
}

export function scriptedCommands(hub: ScriptedHub): ScriptedCommands {
  return {
    'GET /api/health': () => ({ status: 'ok', version: 'scripted' }),
    'GET /api/me': () => ({ name: USER, scope: 'admin' }),
    'POST /api/login': () => {},
    'POST /api/logout': () => {},
    'GET /api/repos': () => ({ repos: hub.repos }),
    'POST /api/repos/scan': () => ({ repos: hub.repos }),
    'GET /api/extensions': () => ({ extensions: hub.extensions, problems: [] }),
    ...lifeOf(hub),
    ...workOf(hub),
    ...queueOf(hub),
  }
}

/** Runs the function whose address fits, with the names in the path, the query and the body as its input. */
export function runCommand(commands: ScriptedCommands, request: ScriptedRequest): unknown {
  const { pathname, searchParams } = new URL(request.path, 'http://hub.test')
  for (const [address, run] of Object.entries(commands)) {
    const pattern = address.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
    const found = new RegExp(`^${pattern}$`).exec(`${request.method} ${pathname}`)
    if (!found) continue
    const names = Object.entries(found.groups ?? {}).map(([name, text]) => [
      name,
      decodeURIComponent(text),
    ])
    const input: unknown = {
      ...Object.fromEntries(searchParams),
      ...(request.body as object),
      ...Object.fromEntries(names),
    }
    return (run as (input: unknown) => unknown)(input)
  }
  throw new ClientError(
    'not_found',
    `The scripted hub has no ${request.method} ${pathname}; set one in \`commands\` or \`routes\`.`,
  )
}

function lifeOf(hub: ScriptedHub): ScriptedCommands {
  return {
    'POST /api/sessions': ({ title }) => {
      const { summary } = hub.addSession(title === undefined ? {} : { title })
      return { ...summary, sessionId: summary.id }
    },
    'GET /api/sessions': ({ status }) => {
      const wanted = status === undefined ? undefined : String(status).split(',')
      const sessions = [...hub.sessions.values()]
        .map(({ summary }) => summary)
        .filter((summary) => wanted?.includes(summary.status) ?? true)
        .toReversed()
      return { sessions, total: sessions.length, limit: 20, offset: 0 }
    },
    'GET /api/sessions/{sessionId}': ({ sessionId }) => {
      const { summary } = hub.requireSession(sessionId)
      const repo = hub.repos.find(({ id }) => id === summary.repoId)
      if (!repo) throw new ClientError('repo_not_found', 'No such repository.')
      return { ...summary, repo, messages: [] }
    },
    'PATCH /api/sessions/{sessionId}': ({ sessionId, title, pinned, archived }) => {
      const session = hub.requireSession(sessionId)
      session.change({
        ...(title !== undefined && { title }),
        ...(pinned !== undefined && { pinned }),
        ...(archived !== undefined && { archived }),
      })
      return session.summary
    },
    'DELETE /api/sessions/{sessionId}': ({ sessionId, purge }) => {
      const session = hub.requireSession(sessionId)
      session.end('cancelled')
      if (purge === 'true') hub.removeSession(sessionId)
      return session.summary
    },
    'POST /api/sessions/{sessionId}/complete': ({ sessionId }) => {
      const session = hub.requireSession(sessionId)
      session.end('completed')
      return session.summary
    },
    'POST /api/sessions/{sessionId}/resume': ({ sessionId }) => {
      const session = hub.requireSession(sessionId)
      session.resume()
      return session.summary
    },
  }
}

function workOf(hub: ScriptedHub): ScriptedCommands {
  return {
    'POST /api/sessions/{sessionId}/prompt': ({ sessionId, prompt = [], id = '' }) =>
      hub.requireSession(sessionId).prompt(prompt, id),
    'POST /api/sessions/{sessionId}/cancel': ({ sessionId }) => {
      const session = hub.requireSession(sessionId)
      session.cancel()
      return session.summary
    },
    'GET /api/sessions/{sessionId}/permissions': ({ sessionId }) => ({
      permissions: hub.requireSession(sessionId).permissions,
    }),
    'POST /api/sessions/{sessionId}/permissions/{permissionId}': (input) => {
      const { sessionId, permissionId, optionId } = input
      const answer = optionId === undefined ? {} : { optionId }
      return hub.requireSession(sessionId).answer(permissionId, answer)
    },
    // A script touches no file.
    'GET /api/sessions/{sessionId}/changes': () => ({ is: 'gone' }),
    'GET /api/sessions/{sessionId}/timeline': ({ sessionId, before }) =>
      hub.requireSession(sessionId).timeline(before === undefined ? undefined : Number(before)),
    'GET /api/sessions/{sessionId}/events': ({ sessionId, after = 0 }) => {
      const { log } = hub.requireSession(sessionId)
      return { events: log.slice(Number(after)), lastSeq: log.length }
    },
  }
}

function queueOf(hub: ScriptedHub): ScriptedCommands {
  return {
    'GET /api/sessions/{sessionId}/queue': ({ sessionId }) =>
      waiting(hub.requireSession(sessionId)),
    'PATCH /api/sessions/{sessionId}/queue/{turnId}': (input) => {
      const { sessionId, turnId, now, prompt, before } = input
      const session = hub.requireSession(sessionId)
      if (now) session.sendNow(turnId)
      else
        session.editQueued(turnId, {
          ...(prompt && { prompt }),
          ...(before !== undefined && { before }),
        })
      return waiting(session)
    },
    'DELETE /api/sessions/{sessionId}/queue/{turnId}': ({ sessionId, turnId }) => {
      const session = hub.requireSession(sessionId)
      session.removeQueued(turnId)
      return waiting(session)
    },
    'DELETE /api/sessions/{sessionId}/queue': ({ sessionId }) => {
      const session = hub.requireSession(sessionId)
      for (const { turnId } of session.queue) session.removeQueued(turnId)
      return waiting(session)
    },
  }
}

function waiting({ queue }: ScriptedSession): { readonly queue: readonly QueuedPrompt[] } {
  return { queue: queue.map((turn) => ({ ...turn, queuedAt: new Date(turn.at).toISOString() })) }
}
