import { expect, test } from 'vitest'
import { Redactor } from '../wire/redact/redact.js'
import { describeExit, findAcpError } from './acp-errors.js'

const redactor = new Redactor(['hunter2-the-secret'])
const asked = (method: string, authMethods: readonly unknown[] = []) => ({
  method,
  authMethods,
  signInErrors: [] as readonly string[],
  redactor,
})

test('an error keeps the agent’s code, message and data', () => {
  const error = findAcpError(
    Object.assign(new Error('Internal'), { code: -32603, data: 7 }),
    asked('session/prompt'),
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
  expect(findAcpError(error, asked('session/new'))?.message).toBe(
    'The agent answered: Internal error (Directory does not exist: /x)',
  )
})

test('a JSON body in the message is read for people', () => {
  const body = JSON.stringify({ error: { code: 400, message: 'API key not valid.' } })
  const error = Object.assign(new Error(body), { code: 400 })
  expect(findAcpError(error, asked('session/prompt'))).toMatchObject({
    message: 'The agent answered: API key not valid.',
    details: { acp: { code: 400, message: body } },
  })
})

test('-32000 names the ways to sign in', () => {
  const error = Object.assign(new Error('Authentication required'), { code: -32000 })
  const methods = [{ id: 'key', name: 'API key' }]
  expect(findAcpError(error, asked('session/new', methods))).toMatchObject({
    code: 'agent_auth_required',
    message: 'Sign in to the agent first: Authentication required. Ways to sign in: API key.',
    details: { methods },
  })
})

test('what is no JSON-RPC error is left to the exit of the process', () => {
  expect(findAcpError(new Error('ACP connection closed'), asked('initialize'))).toBeUndefined()
  expect(describeExit({ exitCode: 7, signal: null, stderrTail: 'boom\n' })).toBe(
    'The agent ended with exit code 7. Its last output: boom',
  )
  expect(describeExit({ exitCode: null, signal: 'SIGKILL', stderrTail: '' })).toBe(
    'The agent was ended by SIGKILL.',
  )
})

test('secrets in an error are redacted, in its sentence and in its details', () => {
  const error = Object.assign(new Error('Internal error'), {
    code: -32603,
    data: { url: 'https://model.example/?key=hunter2-the-secret' },
  })
  const found = JSON.stringify(findAcpError(error, asked('session/prompt'))?.toBody())
  expect(found).toContain('model.example')
  expect(found).not.toContain('hunter2')
})

test('an error that the manifest names means a missing sign-in, and keeps its own code', () => {
  const error = { code: -32603, message: 'Internal error', data: { error: 'no GOOSE_PROVIDER' } }
  const request = asked('session/new', [{ id: 'p', name: 'Provider' }])
  expect(findAcpError(error, { ...request, signInErrors: ['GOOSE_PROVIDER'] })).toMatchObject({
    code: 'agent_auth_required',
    message: expect.stringContaining('Ways to sign in: Provider.') as string,
    details: { methods: request.authMethods, acp: { code: -32603 } },
  })
  expect(findAcpError(error, { ...request, signInErrors: ['OTHER'] })?.code).toBe('agent_failed')
})
