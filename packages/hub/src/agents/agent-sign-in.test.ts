import { expect, test } from 'vitest'
import { HubError } from '../errors.js'
import { AgentSignIns, type SignInState } from './agent-sign-in.js'

const SIGNED_IN = { is: 'signed-in' } as const

test('whoever asks again for a sign-in that runs joins it, and is told how it ended', async () => {
  let resolve = (_state: SignInState): void => undefined
  const promise = new Promise<SignInState>((settle) => (resolve = settle))
  const signIns = new AgentSignIns(0)
  let starts = 0
  const ask = () =>
    signIns.authenticate('gemini browser', () => {
      starts += 1
      return promise
    })

  expect(await ask()).toEqual({ is: 'waiting' })
  expect(await ask()).toEqual({ is: 'waiting' })
  resolve(SIGNED_IN)
  // The result is kept for the next request, because none waits when the sign-in ends.
  await promise
  expect(await ask()).toEqual(SIGNED_IN)
  expect(starts).toBe(1)
})

test('a sign-in that failed is told once, and the next one begins anew', async () => {
  const signIns = new AgentSignIns(0)
  const fail = () => Promise.reject(new HubError('agent_failed'))

  await expect(signIns.authenticate('gemini browser', fail)).rejects.toMatchObject({
    code: 'agent_failed',
  })
  expect(await signIns.authenticate('gemini browser', async () => SIGNED_IN)).toEqual(SIGNED_IN)
})
