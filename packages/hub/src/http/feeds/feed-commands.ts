// The commands that need the socket they came over: following sessions and terminals, watching the list, visible pages.
import type { feedCommands, Handlers, terminalFeedCommands } from '@quayside/protocol/schemas'
import type { VisiblePages } from '../../push/visible-pages.js'
import type { FollowRanges } from '../../sessions/log/follow-ranges.js'
import type { RawDeps } from '../../api/room.js'
import type { FeedSocket } from './feed-socket.js'
import { SessionListFeed } from './session-list-feed.js'
import { terminalFeeds } from './terminal-socket.js'

type FeedCommandDeps = RawDeps & {
  readonly ranges: FollowRanges
  readonly visiblePages: VisiblePages
}

export type FeedCommands = Handlers<typeof feedCommands & typeof terminalFeedCommands, FeedSocket>

export function createFeedCommands(deps: FeedCommandDeps): FeedCommands {
  const { reader, ranges, visiblePages } = deps
  const watches = new WeakMap<FeedSocket, SessionListFeed>()
  const withPages = new WeakSet<FeedSocket>()
  return {
    ...terminalFeeds(deps),
    'session/follow': async ({ sessionId, ...input }, socket) => {
      await reader.requireSummary(sessionId)
      return socket.follow(sessionId, await ranges.resolve(sessionId, input))
    },
    'session/unfollow': ({ sessionId }, socket) => socket.unfollow(sessionId),
    'sessions/watch': (_input, socket) => {
      if (!watches.has(socket)) watches.set(socket, new SessionListFeed(socket, deps))
    },
    'page/visible': ({ visible }, socket) => {
      const { credentialId } = socket
      // A token that lives as long as the hub belongs to no device with notifications.
      if (credentialId === undefined) return
      visiblePages.set(credentialId, socket, visible)
      if (withPages.has(socket)) return
      withPages.add(socket)
      socket.closed.addEventListener('abort', () => visiblePages.set(credentialId, socket, false))
    },
  }
}
