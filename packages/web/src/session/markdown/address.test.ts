import { expect, test } from 'vitest'
import { hostOf, isOwnPicture, linkable, namesHost } from './address.js'

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:http://x/1',
  '//evil.example',
  '/api/logout',
  'README.md',
  '',
])('%j is no link', (address) => {
  expect(linkable(address)).toBeUndefined()
})

test('web and mail addresses are links, with their host', () => {
  const host = (address: string) => {
    const url = linkable(address)
    return url && hostOf(url)
  }
  expect(host('https://example.com/a?b')).toBe('example.com')
  expect(host('https://good.example@evil.example/')).toBe('evil.example')
  expect(host('https://аpple.com')).toBe('xn--pple-43d.com')
  expect(host('mailto:a@example.com')).toBe('a@example.com')
})

test.each([
  ['https://github.com/x', 'https://github.com/x', true],
  ['github.com', 'https://github.com/x', true],
  ['GitHub.com/x?y', 'http://github.com', true],
  ['a@example.com', 'mailto:a@example.com?subject=x', true],
  ['localhost:8080/a', 'http://localhost:8080/b', true],
  ['the manual', 'https://github.com', false],
  ['https://github.com/x', 'https://github.co/x', false],
  ['github.com', 'https://hub.co', false],
  ['https://bank/?evil.com', 'https://evil.com', false],
  ['https://evil.com@bank.com', 'https://evil.com', false],
  ['https://evil.com:x@bank.com', 'https://evil.com', false],
  ['https://bank.com#evil.com', 'https://evil.com', false],
  ['see evil.com, no: bank.com', 'https://evil.com', false],
  ['https://evil.community', 'https://evil.com', false],
  ['https://evil.com.bank.com', 'https://evil.com', false],
  ['https://www.evil.com', 'https://evil.com', false],
  ['https://аpple.com', 'https://аpple.com', false],
])('the text %j of a link to %j names its host: %j', (text, address, isNamed) => {
  expect(namesHost(text, linkable(address)!)).toBe(isNamed)
})

test('only pictures of the hub and in the text itself are shown', () => {
  expect(isOwnPicture('/media/0199-abc')).toBe(true)
  expect(isOwnPicture('data:image/png;base64,AAAA')).toBe(true)
  expect(isOwnPicture('data:image/svg+xml;base64,AAAA')).toBe(false)
  expect(isOwnPicture('https://evil.example/x.png')).toBe(false)
  expect(isOwnPicture('/media/../api/logout')).toBe(false)
  expect(isOwnPicture('//evil.example/media/1')).toBe(false)
})
