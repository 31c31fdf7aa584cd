import { expect, test } from 'vitest'
import { OutputTail } from './output-tail.js'

/** Reference: the longest suffix of whole characters that fits. Slow and simple. */
function expectedTail(text: string, limit: number): string {
  const kept: string[] = []
  let bytes = 0
  for (const character of Array.from(text).toReversed()) {
    bytes += Buffer.byteLength(character)
    if (bytes > limit) break
    kept.unshift(character)
  }
  return kept.join('')
}

function tailOf(bytes: Buffer, limit: number, chunkBytes: number): OutputTail {
  const tail = new OutputTail(limit)
  for (let at = 0; at < bytes.length; at += chunkBytes)
    tail.push(bytes.subarray(at, at + chunkBytes))
  tail.end()
  return tail
}

const LIMITS = Array.from({ length: 41 }, (_, limit) => limit)
const TEXTS = {
  '1-byte characters': 'abcdefghij'.repeat(6),
  '2-byte characters': 'äöüßé'.repeat(8),
  '3-byte characters': '漢字仮名€'.repeat(8),
  '4-byte characters': '😀🚀🐳🧪🔥'.repeat(8),
  'all of them': 'aß€🚀xyé漢🐳'.repeat(6),
}

test.each(Object.entries(TEXTS))('%s are never cut, at any limit', (_, text) => {
  for (const limit of LIMITS)
    for (const chunkBytes of [1, 2, 3, 5, 7, 64, 1000]) {
      const tail = tailOf(Buffer.from(text), limit, chunkBytes)
      expect(tail.text(), `limit ${limit}, chunks of ${chunkBytes}`).toBe(expectedTail(text, limit))
      expect(tail.truncated).toBe(Buffer.byteLength(text) > limit)
    }
})

test('an output of exactly the limit is whole and not truncated', () => {
  const tail = tailOf(Buffer.from('aß€🚀'), 10, 3)
  expect(tail.text()).toBe('aß€🚀')
  expect(tail.truncated).toBe(false)
})

test('invalid bytes become replacement characters within the limit', () => {
  const broken = Buffer.from([
    0x61, 0xff, 0xfe, 0xc3, 0x28, 0xf0, 0x9f, 0x98, 0x62, 0x80, 0xe2, 0x82,
  ])
  const whole = broken.toString()
  for (const limit of LIMITS)
    for (const chunkBytes of [1, 4, 100]) {
      const text = tailOf(Buffer.concat([broken, broken]), limit, chunkBytes).text()
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit)
      expect((whole + whole).endsWith(text), `limit ${limit}: ${text}`).toBe(true)
    }
})

test('a character that is not complete yet is not shown', () => {
  const tail = new OutputTail(100)
  tail.push(Buffer.from([0x61, 0xf0, 0x9f]))
  expect(tail.text()).toBe('a')
  tail.push(Buffer.from([0x98, 0x80]))
  expect(tail.text()).toBe('a😀')
})

test('the memory stays at the limit, whatever is printed and however', () => {
  const tail = new OutputTail(100_000)
  expect(tail.capacityBytes).toBe(0)
  tail.push(Buffer.from('x'))
  expect(tail.capacityBytes).toBeLessThanOrEqual(4096)
  for (let round = 0; round < 500; round += 1) tail.push(Buffer.alloc(65_536, 'y\n'))
  tail.push(Buffer.alloc(3_000_000, 'z'))
  expect(tail.capacityBytes).toBe(100_000)
  expect(tail.text()).toBe('z'.repeat(100_000))
})

test('a reader with a cursor sees every byte in pages that cut no character', () => {
  const text = 'aß€🚀'.repeat(20)
  const tail = tailOf(Buffer.from(text), 1000, 7)
  for (const pageBytes of [4, 5, 6, 7, 1000]) {
    const seen: string[] = []
    let offset = 0
    for (
      let piece = tail.readAfter(0, pageBytes);
      piece;
      piece = tail.readAfter(offset, pageBytes)
    ) {
      expect(piece.skippedBytes).toBe(0)
      expect(Buffer.byteLength(piece.text)).toBeLessThanOrEqual(pageBytes)
      seen.push(piece.text)
      offset = piece.next
    }
    expect(seen.join('')).toBe(text)
  }
})

test('a reader who is too slow learns how much was skipped', () => {
  const tail = new OutputTail(10)
  tail.push(Buffer.from('0123456789'))
  expect(tail.readAfter(4)).toEqual({ text: '456789', skippedBytes: 0, next: 10 })
  tail.push(Buffer.from('abcdefg€€€€'))
  expect(tail.readAfter(10)).toEqual({ text: '€€€', skippedBytes: 10, next: 29 })
  expect(tail.readAfter(29)).toBeUndefined()
})
