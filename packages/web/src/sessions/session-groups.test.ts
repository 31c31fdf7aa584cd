import type { ListedSession, Repo } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { groupSessions } from './session-groups.js'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

type Listed = Pick<ListedSession, 'id' | 'repoId'> & { minute: number; pinned?: boolean }

function session({ id, repoId, minute, pinned = false }: Listed): ListedSession {
  return {
    id,
    repoId,
    pinned,
    extensionId: 'demo',
    status: 'active',
    title: id,
    metadata: {},
    lastSeq: 1,
    archived: false,
    turnCount: 0,
    messageCount: 0,
    createdAt: at(0),
    updatedAt: at(minute),
    endedAt: null,
  }
}

test('pinned sessions are first, then the repository with the latest activity', () => {
  const repo: Repo = { id: 'r1', name: 'shop', path: '/shop', missing: false, createdAt: at(0) }
  const sessions = [
    session({ id: 'old', repoId: 'r1', minute: 1 }),
    session({ id: 'pinned', repoId: 'r1', minute: 0, pinned: true }),
    session({ id: 'newest', repoId: 'r2', minute: 9 }),
    session({ id: 'newer', repoId: 'r1', minute: 5 }),
  ]

  const groups = groupSessions(sessions, [repo])

  expect(groups.map(({ id, members }) => [id, members.map((member) => member.id)])).toEqual([
    ['', ['pinned']],
    ['r2', ['newest']],
    ['r1', ['newer', 'old']],
  ])
  expect(groups.map((group) => group.repo?.name)).toEqual([undefined, undefined, 'shop'])
})
