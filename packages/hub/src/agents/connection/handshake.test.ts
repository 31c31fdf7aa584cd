import { expect, test } from 'vitest'
import { VERSION } from '../../version.js'
import { introduce, readDescription } from './handshake.js'

test('the hub introduces itself with the version of its package', () => {
  expect(introduce([])).toMatchObject({ clientInfo: { name: 'quayside', version: VERSION } })
  expect(VERSION).toMatch(/^\d+\.\d+\.\d+/)
})

test.for([1, '1', '1.2', 1.5, undefined, null])(
  'an agent that answers version %s is accepted',
  (protocolVersion) => {
    expect(readDescription({ protocolVersion })).toEqual({ capabilities: {}, authMethods: [] })
  },
)

test.for([0, 2, '2', '0.9', '2025-06-18', 'latest', 11])(
  'an agent that answers version %s is refused, with both versions named',
  (protocolVersion) => {
    const { message } = refusal(protocolVersion)
    expect(message).toContain(`speaks version ${protocolVersion} of`)
    expect(message).toContain('this hub speaks version 1.')
  },
)

function refusal(protocolVersion: unknown): Error {
  try {
    readDescription({ protocolVersion })
  } catch (error) {
    return error as Error
  }
  throw new Error('the agent was accepted')
}
