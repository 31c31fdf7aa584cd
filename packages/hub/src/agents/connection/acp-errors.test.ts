import { expect, test } from 'vitest'
import { describeExit, findAcpError } from './acp-errors.js'

const NO_SIGN_IN = { methods: [], errors: [] }

test('an error keeps the agent’s code, message and data', () => {
  const error = findAcpError(
    'session/prompt',
    Object.assign(new Error('Internal'), { code: -32603, data: 7 }),
    NO_SIGN_IN,
  )
  expect(error).toMatchObject({
    code: 'agent_failed',
    details: { acp: { method: 'session/prompt', code: -32603, data: 7 } },
  })
})

test('the details that agents hide are shown', () => {
  const error = Object.assign(new Error('Internal error'), {
    code: -32603,
    data: { details: 'Directory does not exist: /x' },
  })
  expect(findAcpError('session/new', error, NO_SIGN_IN)?.message).toBe(
    'The agent answered: Internal error (Directory does not exist: /x)',
  )
})

test('a JSON body in the message is read for people', () => {
  const body = JSON.stringify({ error: { code: 400, message: 'API key not valid.' } })
  const error = Object.assign(new Error(body), { code: 400 })
  expect(findAcpError('session/prompt', error, NO_SIGN_IN)).toMatchObject({
    message: 'The agent answered: API key not valid.',
    details: { acp: { code: 400, message: body } },
  })
})

test('-32000 names the ways to sign in', () => {
  const error = Object.assign(new Error('Authentication required'), { code: -32000 })
  const methods = [{ id: 'key', name: 'API key' }]
  expect(findAcpError('session/new', error, { methods, errors: [] })).toMatchObject({
    code: 'agent_auth_required',
    message: 'Sign in to the agent first: Authentication required. Ways to sign in: API key.',
    details: { methods },
  })
})

test('what is no JSON-RPC error is left to the exit of the process', () => {
  expect(findAcpError('initialize', new Error('ACP connection closed'), NO_SIGN_IN)).toBeUndefined()
  expect(describeExit({ exitCode: 7, signal: null, stderrTail: 'boom\n' })).toBe(
    'The agent ended with exit code 7. Its last output: boom',
  )
  expect(describeExit({ exitCode: null, signal: 'SIGKILL', stderrTail: '' })).toBe(
    'The agent was ended by SIGKILL.',
  )
})

test('an error that the manifest names means a missing sign-in, and keeps its own code', () => {
  const error = { code: -32603, message: 'Internal error', data: { error: 'no GOOSE_PROVIDER' } }
  const signIn = { methods: [{ id: 'p', name: 'Provider' }], errors: ['GOOSE_PROVIDER'] }
  expect(findAcpError('session/new', error, signIn)).toMatchObject({
    code: 'agent_auth_required',
    message: expect.stringContaining('Ways to sign in: Provider.') as string,
    details: { methods: signIn.methods, acp: { code: -32603 } },
  })
  expect(findAcpError('session/new', error, { ...signIn, errors: ['OTHER'] })?.code).toBe(
    'agent_failed',
  )
})
