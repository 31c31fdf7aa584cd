// The commands of the scripted hub: those that the client's own methods need.
import type { CallInput, CallOutput, CommandName, QueuedPrompt } from '@quayside/protocol'
import { ADDRESSES } from '@quayside/protocol/schemas'
import { ClientError } from '../connection/client-error.js'
import { withoutUndefined } from '../connection/without-undefined.js'
import type { ScriptedHub, ScriptedRequest } from './scripted-hub.js'
import { USER, type ScriptedSession } from './scripted-session.js'

/** Functions by the name of their command, as in the hub's own table. A query holds texts. */
export type ScriptedCommands = {
  [Name in CommandName]?: (input: CallInput<Name>) => CallOutput<Name>
}

export function scriptedCommands(hub: ScriptedHub): ScriptedCommands {
  return {
    'hub/health': () => ({ status: 'ok', version: 'scripted' }),
    'hub/list': () => ({ hubs: [] }),
    'access/me': () => ({ name: USER, scope: 'admin' }),
    'access/login': () => {},
    'access/logout': () => {},
    'repo/list': () => ({ repos: hub.repos }),
    'repo/scan': () => ({ repos: hub.repos }),
    'extension/list': () => ({ extensions: hub.extensions, problems: [] }),
    ...lifeOf(hub),
    ...workOf(hub),
    ...queueOf(hub),
  }
}

/** Runs the function whose address fits, with the names in the path, the query and the body as its input. */
export function runCommand(commands: ScriptedCommands, request: ScriptedRequest): unknown {
  const { pathname, searchParams } = new URL(request.path, 'http://hub.test')
  for (const [command, run] of Object.entries(commands)) {
    const pattern = ADDRESSES[command as CommandName].replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
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

type OnSession = { readonly sessionId: string }

/** A command that changes a session and answers with what `read` makes of it. */
function changer<Answer>(hub: ScriptedHub, read: (session: ScriptedSession) => Answer) {
  return <Input extends OnSession>(change: (session: ScriptedSession, input: Input) => void) =>
    (input: Input): Answer => {
      const session = hub.requireSession(input.sessionId)
      change(session, input)
      return read(session)
    }
}

function lifeOf(hub: ScriptedHub): ScriptedCommands {
  const changed = changer(hub, ({ summary }) => summary)
  return {
    'session/new': ({ title }) => {
      const { summary } = hub.addSession(title === undefined ? {} : { title })
      return { ...summary, sessionId: summary.id }
    },
    'session/list': ({ status }) => {
      const wanted = status === undefined ? undefined : String(status).split(',')
      const sessions = [...hub.sessions.values()]
        .map(({ summary }) => summary)
        .filter((summary) => wanted?.includes(summary.status) ?? true)
        .toReversed()
      return { sessions, total: sessions.length, limit: 20, offset: 0 }
    },
    'session/get': ({ sessionId }) => {
      const { summary } = hub.requireSession(sessionId)
      const repo = hub.repos.find(({ id }) => id === summary.repoId)
      if (!repo) throw new ClientError('repo_not_found', 'No such repository.')
      return { ...summary, repo, messages: [] }
    },
    'session/change': changed((session, { title, pinned, archived }) =>
      session.change(withoutUndefined({ title, pinned, archived })),
    ),
    'session/delete': changed((session, { purge }) => {
      session.end('cancelled')
      if (purge === 'true') hub.removeSession(session.id)
    }),
    'session/unsaved': () => ({ files: [], commits: 0 }),
    'session/complete': changed((session) => session.end('completed')),
    'session/resume': changed((session) => session.resume()),
    'session/cancel': changed((session) => session.cancel()),
  }
}

function workOf(hub: ScriptedHub): ScriptedCommands {
  return {
    'session/prompt': ({ sessionId, prompt = [], id = '' }) =>
      hub.requireSession(sessionId).prompt(prompt, id),
    'permission/list': ({ sessionId }) => ({
      permissions: hub.requireSession(sessionId).permissions,
    }),
    'permission/answer': (input) => {
      const { sessionId, permissionId, optionId } = input
      const answer = optionId === undefined ? {} : { optionId }
      return hub.requireSession(sessionId).answer(permissionId, answer)
    },
    // A script touches no file.
    'session/changes': () => ({ is: 'gone' }),
    'session/timeline': ({ sessionId, before }) =>
      hub.requireSession(sessionId).timeline(before === undefined ? undefined : Number(before)),
    'session/find': ({ sessionId, q }) => hub.requireSession(sessionId).find(q),
    'event/list': ({ sessionId, after = 0 }) => {
      const { log } = hub.requireSession(sessionId)
      return { events: log.slice(Number(after)), lastSeq: log.length }
    },
  }
}

function queueOf(hub: ScriptedHub): ScriptedCommands {
  const changed = changer(hub, waiting)
  return {
    'session/queue': ({ sessionId }) => waiting(hub.requireSession(sessionId)),
    'queue/edit': changed((session, input) => {
      const { turnId, now, prompt, before } = input
      if (now) session.sendNow(turnId)
      else session.editQueued(turnId, withoutUndefined({ prompt, before }))
    }),
    'queue/remove': changed((session, { turnId }) => session.removeQueued(turnId)),
    'queue/clear': changed((session) => {
      for (const { turnId } of session.queue) session.removeQueued(turnId)
    }),
  }
}

function waiting({ queue }: ScriptedSession): { readonly queue: readonly QueuedPrompt[] } {
  return { queue: queue.map((turn) => ({ ...turn, queuedAt: new Date(turn.at).toISOString() })) }
}
