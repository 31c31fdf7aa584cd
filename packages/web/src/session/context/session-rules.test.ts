import { expect, test } from 'vitest'
import { ALLOWANCES, allow, allowanceOf } from './session-rules.js'

test('an allowance is recognised, and can be removed', () => {
  for (const allowance of ALLOWANCES)
    expect(allowanceOf(allow(allowance).settings ?? {})).toBe(allowance)
  expect(allowanceOf(allow(undefined).settings ?? {})).toBeUndefined()
  expect(allowanceOf({})).toBeUndefined()
})

test('rules with another origin are not hidden', () => {
  const rules = [{ action: 'deny', kind: 'fetch' }]
  expect(allowanceOf({ permissions: { mode: 'ask', rules } })).toBe('other')
})
