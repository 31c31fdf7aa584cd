import { expect, test } from 'vitest'
import { Servers, splitAddress } from './servers.js'

test('an address of one server stays as it is', () => {
  for (const address of ['postgres://a:b@c:5433/d?sslmode=require', 'postgres://a@c/d?host=%2Ftmp'])
    expect(splitAddress(address)).toEqual([address])
})

test('an address of several servers becomes one for each, with its own port', () => {
  expect(splitAddress('postgres://a:b,c@one:5432,two:5433/d?sslmode=require')).toEqual([
    'postgres://a:b,c@one:5432/d?sslmode=require',
    'postgres://a:b,c@two:5433/d?sslmode=require',
  ])
  expect(splitAddress('postgres://a@localhost/d?host=%2Fone,%2Ftwo&port=1,2')).toEqual([
    'postgres://a@localhost/d?host=%2Fone&port=1',
    'postgres://a@localhost/d?host=%2Ftwo&port=2',
  ])
})

test('a server that several connections leave is left once', () => {
  const servers = new Servers('postgres://one,two,three/d')
  const first = servers.current
  servers.leave(first)
  servers.leave(first)
  expect(servers.current).toContain('two')
})
