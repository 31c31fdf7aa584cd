import { expect, test } from 'vitest'
import { random } from '../../../test/random.js'
import { MAX_MEDIA_BYTES } from '../../store/media.js'
import { DataUriOffloader, decodeBase64, MAX_IMAGES, TOO_LARGE } from './data-uri-offloader.js'

type Stored = { mimeType: string; bytes: Buffer }

function rewrite(pieces: Iterable<string>): { text: string; stored: Stored[] } {
  const stored: Stored[] = []
  const offloader = new DataUriOffloader((mimeType, bytes) => {
    stored.push({ mimeType, bytes })
    return `/media/${stored.length}`
  })
  let text = ''
  for (const piece of pieces) text += offloader.push(piece)
  return { text: text + offloader.end(), stored }
}

/** The rule without streams: one expression over the whole text. */
function rewriteWhole(source: string): string {
  let images = 0
  const uri = /(?<!\w)data:image\/(?:png|jpeg|svg\+xml);base64,([A-Za-z0-9+/%]*)={0,2}/gi
  return source.replace(uri, (match, base64: string, at: number) => {
    const isElided = /^(\.\.|…)/.test(source.slice(at + match.length))
    if (isElided || base64.includes('%') || base64.length < 2) return match
    images += 1
    return `/media/${images}`
  })
}

const PIXEL = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const URI = `data:image/png;base64,${PIXEL.toString('base64')}`

test('an image in Markdown becomes a reference and the text around it stays', () => {
  const { text, stored } = rewrite([`Look: ![a plot](${URI} "title") and on.`])
  expect(text).toBe('Look: ![a plot](/media/1 "title") and on.')
  expect(stored).toEqual([{ mimeType: 'image/png', bytes: PIXEL }])
})

test.each([
  [URI, '/media/1'],
  [`<img src="${URI}">`, '<img src="/media/1">'],
  [`background: url(${URI})`, 'background: url(/media/1)'],
  [`${URI}. The end`, '/media/1. The end'],
  [`${URI}.`, '/media/1.'],
  [`${URI}${URI}`, '/media/1/media/2'],
  ['DATA:IMAGE/JPG;BASE64,QUJD!', '/media/1!'],
  ['(data:image/png;base64,QQ%3D%3D)', '(/media/1)'],
  ['data:image/svg+xml;charset=utf-8;base64,PHN2Zy8+', '/media/1'],
])('%s becomes %s', (source, expected) => {
  expect(rewrite([source]).text).toBe(expected)
  expect(rewrite(source).text).toBe(expected)
})

test.each([
  'a word that ends in d',
  '```\ndata: 1\ndata:image/png,not-base64\ndata:text/plain;base64,QUJD\n```',
  'data:application/pdf;base64,QUJD and data:audio/wav;base64,QUJD',
  'data:image/png;base64, nothing',
  'data:image/png;base64,',
  'metadata:image/png;base64,QUJD',
  'write `data:image/png;base64,iVBORw0KGgo...` there, or data:image/png;base64,iVBORw0…',
  'data:image/png;base64,QU%J',
  'data:data:data:image/data:image/png',
  '',
])('%j stays as it is', (source) => {
  expect(rewrite([source])).toEqual({ text: source, stored: [] })
  expect(rewrite(source)).toEqual({ text: source, stored: [] })
})

test('ordinary text is passed on at once', () => {
  const offloader = new DataUriOffloader(() => 'never')
  for (const text of ['Hello', ' world', ', and', ' good', '\n\n```ts\n', 'data()', '日本語🙂'])
    expect(offloader.push(text)).toBe(text)
  expect(offloader.end()).toBe('')
})

test('only what may begin a data URI is held back, and comes when it does not', () => {
  const offloader = new DataUriOffloader(() => 'never')
  expect(offloader.push('see data:image/')).toBe('see ')
  expect(offloader.push('tiff;base64,QUJD')).toBe('data:image/tiff;base64,QUJD')
  expect(offloader.push('(data:image/svg+xml;charset=utf-8;base64')).toBe('(')
  expect(offloader.end()).toBe('data:image/svg+xml;charset=utf-8;base64')
})

test('an image is held until its end, however long it takes', () => {
  const offloader = new DataUriOffloader(() => '/media/x')
  expect(offloader.push(`![](${URI.slice(0, 30)}`)).toBe('![](')
  expect(offloader.push(URI.slice(30))).toBe('')
  expect(offloader.push(')')).toBe('/media/x)')
})

test('the parts of a cut text come out as the whole does', () => {
  const next = random()
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!
  const base64 = (): string => {
    const length = Math.floor(next() * 40)
    return Buffer.from(Array.from({ length }, () => next() * 256)).toString('base64')
  }
  const words: (() => string)[] = [
    () => `data:image/${pick(['png', 'jpeg', 'svg+xml', 'tiff', 'PNG'])};base64,${base64()}`,
    () => URI.slice(0, Math.floor(next() * URI.length)),
    () => pick(['data:', 'd', 'data', 'metadata:', ' ', '\n', '.', '..', '…', '=', '%', '(', '🙂']),
    () => pick(['```\ndata: x\n```', '![x](', ')', 'The end', '日本', ';base64,', 'image/png']),
  ]
  for (let round = 0; round < 1_000; round += 1) {
    const source = Array.from({ length: 1 + Math.floor(next() * 12) }, () => pick(words)()).join('')
    const whole = rewrite([source])
    expect(rewrite(source.split(''))).toEqual(whole)
    const pieces: string[] = []
    for (let at = 0; at < source.length;) {
      const size = 1 + Math.floor(next() * 25)
      pieces.push(source.slice(at, at + size))
      at += size
    }
    expect(rewrite(pieces)).toEqual(whole)
    expect(whole.text).toBe(rewriteWhole(source))
  }
})

test('an image over the limit leaves a placeholder, and the text goes on', () => {
  const tooLong = 'A'.repeat(Math.ceil((MAX_MEDIA_BYTES * 4) / 3) + 1)
  const pieces = ['![x](data:image/png;base64,', tooLong, 'AA==', ') on']
  expect(rewrite(pieces)).toEqual({ text: `![x](${TOO_LARGE}) on`, stored: [] })
})

test('a message has only so many images', () => {
  const { text, stored } = rewrite([`${URI} `.repeat(MAX_IMAGES + 1)])
  expect(stored).toHaveLength(MAX_IMAGES)
  expect(text.endsWith(`/media/${MAX_IMAGES} ${URI} `)).toBe(true)
})

test.each([
  ['data:', 'data:'.repeat(1_000_000)],
  ['headers', 'data:image/png;base64,'.repeat(300_000)],
  ['ellipses', 'data:image/png;base64,A..'.repeat(200_000)],
  ['one long image', `data:image/png;base64,${'A'.repeat(10_000_000)}`],
])(
  'hostile megabytes (%s) are read before the test times out',
  (_what, source) => {
    rewrite([source])
    const { text } = rewrite(source.match(/[^]{1,100}/g) ?? [])
    expect(text).not.toBe('')
  },
  60_000,
)

test.each([
  ['QUJD', 'ABC'],
  ['QUI=', 'AB'],
  ['QUI', 'AB'],
  ['QU\nJD\n', 'ABC'],
  ['', ''],
])('%j is base64', (text, bytes) => {
  expect(decodeBase64(text)?.toString()).toBe(bytes)
})

test.each(['no!', 'QUI=QUI=', 'QQ===', '=Q', 'Ä'])('%j is not base64', (text) => {
  expect(decodeBase64(text)).toBeUndefined()
})
