import type { ListedSession, Repo } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { groupSessions } from './session-groups.js'

const at = (minute: number) => new Date(minute * 60_000).toISOString()

function session(id: string, repoId: string, minute: number, pinned = false): ListedSession {
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

test('pinned sessions come first, then the repository in which something happened last', () => {
  const repo: Repo = { id: 'r1', name: 'shop', path: '/shop', missing: false, createdAt: at(0) }
  const sessions = [
    session('old', 'r1', 1),
    session('pinned', 'r1', 0, true),
    session('newest', 'r2', 9),
    session('newer', 'r1', 5),
  ]

  const groups = groupSessions(sessions, [repo])

  expect(groups.map(({ id, members }) => [id, members.map((member) => member.id)])).toEqual([
    ['', ['pinned']],
    ['r2', ['newest']],
    ['r1', ['newer', 'old']],
  ])
  expect(groups.map((group) => group.repo?.name)).toEqual([undefined, undefined, 'shop'])
})
