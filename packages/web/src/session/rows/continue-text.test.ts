import type { Item } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { continueText } from './continue-text.js'

const BASE = { updatedSeq: 1, at: 0, updatedAt: 0, done: true }

function turn(number: number, prompt: string, answer: string): Item[] {
  const turnId = `t${number}`
  const user = {
    type: 'user',
    id: `user:${turnId}`,
    text: prompt,
    blocks: [],
    waiting: false,
  } as const
  const text = { type: 'text', id: `text:${number}`, text: answer } as const
  return [
    { ...BASE, ...user, seq: number, turnId },
    { ...BASE, ...text, seq: number, turnId },
  ]
}

test('the draft of a continued session names the speakers', () => {
  expect(continueText('Sea songs', turn(1, 'sing', 'la la'))).toBe(
    'Continued from an earlier session, “Sea songs”. What was said there:\n\nI said: sing\nYou answered: la la\n\n',
  )
})

test('the draft of a long session has its newest messages', () => {
  const many = Array.from({ length: 40 }, (_, n) => turn(n, `prompt ${n}`, 'x'.repeat(900))).flat()
  const text = continueText('Long', many)
  expect(text.length).toBeLessThan(7_000)
  expect(text).toContain('prompt 39')
  expect(text).not.toContain('prompt 1\n')
})
