import { applyPatch, structuredPatch } from 'diff'
import { expect, test } from 'vitest'
import { unifiedDiff } from './unified-diff.js'

/** The same numbers in every run. */
function random(): () => number {
  let seed = 7
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
}

function lines(count: number, write = (at: number) => `line ${at} of the file`): string[] {
  return Array.from({ length: count }, (_, at) => write(at + 1))
}

function text(written: readonly string[]): string {
  return written.map((line) => `${line}\n`).join('')
}

test('one changed line of a large file is one hunk with its place in the file', () => {
  const before = lines(6_000)
  expect(unifiedDiff(text(before), text(before.with(5_997, 'changed')))).toEqual({
    added: 1,
    removed: 1,
    patch: [
      '@@ -5995,6 +5995,6 @@',
      ' line 5995 of the file',
      ' line 5996 of the file',
      ' line 5997 of the file',
      '-line 5998 of the file',
      '+changed',
      ' line 5999 of the file',
      ' line 6000 of the file',
      '',
    ].join('\n'),
  })
})

test('changes that are far from each other are separate hunks', () => {
  const before = lines(20_000)
  const { patch, added, removed } = unifiedDiff(
    text(before),
    text(before.with(10, 'first').with(19_000, 'second').toSpliced(15_000, 1)),
  )
  expect({ added, removed }).toEqual({ added: 2, removed: 3 })
  expect(patch?.match(/^@@.*@@$/gm)).toEqual([
    '@@ -8,7 +8,7 @@',
    '@@ -14998,7 +14998,6 @@',
    '@@ -18998,7 +18997,7 @@',
  ])
})

test('30,000 changed lines are counted and written, all of them', () => {
  const [before, after] = [lines(30_000), lines(30_000, (at) => `other ${at}`)]
  const { patch, added, removed } = unifiedDiff(text(before), text(after))
  expect({ added, removed }).toEqual({ added: 30_000, removed: 30_000 })
  expect(patch?.split('\n')).toHaveLength(60_002)
})

test('every second line of a large file is a change of its own', () => {
  const before = lines(30_000)
  const after = before.map((line, at) => (at % 2 === 0 ? line : `${line}!`))
  expect(unifiedDiff(text(before), text(after))).toMatchObject({ added: 15_000, removed: 15_000 })
})

test('more lines than people can view are counted only', () => {
  const [before, after] = [lines(60_000), lines(60_000, (at) => `other ${at}`)]
  expect(unifiedDiff(text(before), text(after))).toEqual({
    patch: undefined,
    added: 60_000,
    removed: 60_000,
  })
})

test.each([
  ['', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b\n'],
  ['a\nb\n', '', '@@ -1,2 +0,0 @@\n-a\n-b\n'],
  ['a\n', 'a', ''],
  ['a\r\nb\r\n', 'a\nb\n', ''],
  ['a\r\nb', 'a\r\nb\r\nc\r\n', '@@ -1,2 +1,3 @@\n a\n b\n+c\n'],
  ['\n\n', '\n\n\n', '@@ -1,2 +1,3 @@\n \n \n+\n'],
])('the diff of %j and %j', (before, after, patch) => {
  expect(unifiedDiff(before, after).patch).toBe(patch)
})

test('a diff turns the old text into the new one and is as short as possible', () => {
  const next = random()
  const pick = () => `${'abcdefgh'.charAt(Math.floor(next() * 8))}\n`
  for (let round = 0; round < 500; round += 1) {
    const before = Array.from({ length: next() * 40 }, pick)
    const after = before.flatMap((line) => {
      const dice = next()
      return dice < 0.1 ? [] : dice < 0.2 ? [pick()] : dice < 0.3 ? [line, pick()] : [line]
    })
    const [oldText, newText] = [before.join(''), after.join('')]
    const { patch = '', added, removed } = unifiedDiff(oldText, newText)
    if (patch !== '') expect(applyPatch(oldText, `--- a\n+++ b\n${patch}`)).toBe(newText)
    else expect(newText).toBe(oldText)
    const shortest = structuredPatch('a', 'b', oldText, newText).hunks.flatMap((hunk) => hunk.lines)
    expect(added + removed).toBe(shortest.filter((line) => !line.startsWith(' ')).length)
  }
})

test('a diff beyond the effort of a search still turns the old text into the new one', () => {
  const next = random()
  const before = lines(4_000, (at) => (at % 3 === 0 ? '}' : `line ${at}`))
  const after = before
    .map((line) => (next() < 0.5 ? `${line} ${next()}` : line))
    .filter(() => next() < 0.9)
  const { patch = '', added, removed } = unifiedDiff(text(before), text(after))
  expect(applyPatch(text(before), `--- a\n+++ b\n${patch}`)).toBe(text(after))
  expect(added + removed).toBeLessThan(5_500)
})
