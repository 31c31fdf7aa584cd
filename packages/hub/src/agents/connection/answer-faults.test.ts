import { expect, test } from 'vitest'
import { initializeFaults, newSessionFaults } from './answer-faults.js'

test('an answer as the protocol wants it has no faults', () => {
  expect(initializeFaults({ protocolVersion: 1, agentCapabilities: {} })).toEqual([])
  const agentInfo = { name: 'x', version: '1' }
  const authMethods = [{ id: 'login', name: 'Log in' }]
  const whole = { protocolVersion: 1, agentCapabilities: {}, agentInfo, authMethods }
  expect(initializeFaults(whole)).toEqual([])
  expect(newSessionFaults({ sessionId: 's' })).toEqual([])
  const modes = { currentModeId: 'ask', availableModes: [{ id: 'ask', name: 'Ask' }] }
  const grouped = [{ group: 'g', name: 'G', options: [{ value: 'a', name: 'A' }] }]
  const option = { id: 'model', name: 'Model', type: 'select', currentValue: 'a', options: grouped }
  const flag = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true }
  expect(newSessionFaults({ sessionId: 's', modes, configOptions: [option, flag] })).toEqual([])
})

test('each thing that is wrong is named', () => {
  expect(initializeFaults({ protocolVersion: '1' })).toEqual([
    'speaks protocol version "1", not 1',
    'reports no capabilities',
  ])
  const odd = { protocolVersion: 1, agentCapabilities: {}, agentInfo: {}, authMethods: [{}] }
  expect(initializeFaults(odd)).toEqual([
    'its agentInfo lacks a name or a version',
    'a sign-in method lacks an id or a name',
  ])
  const modes = { currentModeId: 'x', availableModes: [{ id: 'ask' }] }
  const choices = [{ value: 'a' }]
  const option = { id: 'model', type: 'select', currentValue: 'b', options: choices }
  expect(newSessionFaults({ modes, configOptions: [option, {}] })).toEqual([
    'opened a session without an id',
    'its current mode "x" is not one of its modes',
    'the value "b" of its option "model" is not one of its choices',
    'an option lacks an id',
  ])
})
