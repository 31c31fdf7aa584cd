import { expect, test } from 'vitest'
import { readCloneUrl } from './clone-source.js'

test.each([
  ['https://example.com/team/shop-api.git', 'https', 'shop-api'],
  [' https://user@example.com/shop-api/ ', 'https', 'shop-api'],
  ['ssh://git@example.com:2222/team/shop-api.git', 'ssh', 'shop-api'],
  ['git@example.com:team/shop-api.git', 'ssh', 'shop-api'],
  ['git://example.com/shop-api', 'git', 'shop-api'],
  ['file:///src/shop-api', 'file', 'shop-api'],
  ['https://example.com/%2e%2e', 'https', undefined],
  ['https://example.com/', 'https', undefined],
])('%s is cloned by %s', (url, protocol, name) => {
  expect(readCloneUrl(url)).toMatchObject({ url: url.trim(), protocol, name })
})

test.each([
  'ext::sh -c touch% /tmp/x',
  'ext::sh',
  'fd::17',
  'https::https://example.com/x',
  '--upload-pack=touch /tmp/x',
  '-oProxyCommand=x',
  '-oProxyCommand=x@example.com:path',
  'git@-oProxyCommand=x:path',
  'git@example.com:-path',
  'ssh://-oProxyCommand=x/path',
  'ssh://-oProxyCommand=x@example.com/path',
  'ssh://%2doProxyCommand=x@example.com/path',
  'http://example.com/x',
  'ftp://example.com/x',
  'javascript:alert(1)',
  '/src/shop-api',
  '../shop-api',
  'shop-api',
  'C:\\src',
  'https:example.com/x',
  'https://',
  'https://user:password@example.com/x',
  'https://example.com/x\n--upload-pack=y',
  'https://example.com/\u202Ex',
  'https://example.com/\0',
  'file://host/src/shop-api',
])('%j is refused', (url) => {
  expect(() => readCloneUrl(url)).toThrow(expect.objectContaining({ code: 'bad_request' }))
})
