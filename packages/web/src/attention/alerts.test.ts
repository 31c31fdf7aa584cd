import type { Activity, SessionStatus, SessionSummary } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { Alerts } from './alerts.js'

function session(status: SessionStatus, activity?: Activity): SessionSummary {
  return {
    id: 's',
    repoId: 'r',
    extensionId: 'demo',
    status,
    ...(activity && { activity }),
    title: null,
    metadata: {},
    lastSeq: 1,
    pinned: false,
    archived: false,
    turnCount: 1,
    messageCount: 1,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    endedAt: null,
  }
}

function alertsAfter(...states: SessionSummary[]): (string | undefined)[] {
  const changes = new Alerts()
  return states.map((state) => changes.next([state])[0]?.kind)
}

test('a decision, the end of the work and a breakdown cause an alert, once each', () => {
  expect(
    alertsAfter(
      session('active', 'working'),
      session('active', 'waiting'),
      session('active', 'waiting'),
      session('active', 'working'),
      session('active', 'idle'),
      session('active', 'working'),
      session('error'),
    ),
  ).toEqual([undefined, 'needsYou', undefined, undefined, 'finished', undefined, 'failed'])
})

test('the initial state, and a session that a person ended, cause no alert', () => {
  expect(alertsAfter(session('active', 'waiting'))).toEqual([undefined])
  expect(alertsAfter(session('active', 'working'), session('cancelled'))).toEqual([
    undefined,
    undefined,
  ])
  expect(alertsAfter(session('active', 'starting'), session('active', 'idle'))).toEqual([
    undefined,
    undefined,
  ])
})
