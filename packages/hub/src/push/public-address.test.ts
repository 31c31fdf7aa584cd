// Push messages go to public addresses only.
import { expect, test } from 'vitest'
import { isPublicAddress, lookupPublic, findRefusal } from './public-address.js'

test.each([
  ['8.8.8.8', true],
  ['2607:f8b0:4004:c07::5f', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.100.100.100', false],
  ['0.0.0.0', false],
  ['255.255.255.255', false],
  ['::1', false],
  ['::ffff:127.0.0.1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['nowhere', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic)
})

test.each([
  ['https://fcm.googleapis.com/fcm/send/abc', false],
  ['https://updates.push.services.mozilla.com/wpush/v2/abc', false],
  ['http://fcm.googleapis.com/fcm/send/abc', true],
  ['https://127.0.0.1/push', true],
  ['https://[::1]/push', true],
  ['https://0x7f000001/push', true],
  ['https://localhost/push', true],
  ['https://push.example.com:8443/push', true],
  ['https://user@push.example.com/push', true],
  ['http://127.0.0.1:9000/push', false],
])('%s is refused at once: %s', (address, isRefused) => {
  const own = ['http://127.0.0.1:9000']
  expect(findRefusal(new URL(address), own) !== undefined).toBe(isRefused)
})

test('a name that leads to this machine is refused when it is resolved', async () => {
  const error = await new Promise((resolve) => lookupPublic('localhost', {}, resolve))
  expect(String(error)).toContain('not public')
})
