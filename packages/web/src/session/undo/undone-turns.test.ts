import type { Item } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { undoneTurns } from './undone-turns.js'

const BASE = { seq: 1, updatedSeq: 1, at: 0, updatedAt: 0, done: true }

type About = { readonly turnId: string; readonly undoId: string }

function notice(id: string, code: string, { turnId, undoId }: About): Item {
  const shared = { type: 'notice' as const, severity: 'info' as const, message: '' }
  return { ...BASE, ...shared, id, code, turnId, details: { undoId } }
}

test('a redo takes its own undo away, also when a turn was undone twice', () => {
  const items = [
    notice('n1', 'turn_undone', { turnId: 'first', undoId: 'u1' }),
    notice('n2', 'turn_undone', { turnId: 'second', undoId: 'u2' }),
    notice('n3', 'agent_primed', { turnId: 'second', undoId: 'u2' }),
    notice('n4', 'turn_undone', { turnId: 'first', undoId: 'u3' }),
    notice('n5', 'turn_redone', { turnId: 'first', undoId: 'u3' }),
  ]
  expect(undoneTurns(items)).toEqual([
    { turnId: 'first', noticeId: 'n1' },
    { turnId: 'second', noticeId: 'n2' },
  ])
})
