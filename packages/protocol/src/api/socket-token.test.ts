import { expect, test } from 'vitest'
import { findOfferedToken, offerToken, selectProtocol } from './socket-token.js'

test.each(['quayside_a-b_c', "any (text) with / = , ; and 'quotes'", 'Füße ✓'])(
  'the token %s travels as a valid subprotocol, and is not the one that is selected',
  (token) => {
    const offered = offerToken(token)
    for (const one of offered) expect(one).toMatch(/^[\w!#$%&'*+.^`|~-]+$/)
    expect(findOfferedToken(offered.join(', '))).toBe(token)
    expect(selectProtocol(offered)).toBe('quayside')
    expect(selectProtocol(offered.slice(1))).toBe(false)
  },
)

test('other subprotocols hold no token', () => {
  for (const header of ['', 'acp.v1, quayside', 'quayside.bearer.', 'quayside.bearer.%zz'])
    expect(findOfferedToken(header)).toBeUndefined()
  expect(selectProtocol(['acp.v1', 'quayside'])).toBe('acp.v1')
})
