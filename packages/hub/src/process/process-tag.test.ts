import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findOwner, hubPrefix, openHubId, ProcessTags } from './process-tag.js'

test('the owner is found in an environment block, and only there', () => {
  expect(findOwner('A=1\0QUAYSIDE_OWNER=h:1.1\0B=2\0')).toBe('h:1.1')
  expect(findOwner('QUAYSIDE_OWNER=h:1.1\0')).toBe('h:1.1')
  expect(findOwner('QUAYSIDE_OWNER=\0')).toBe('')
  expect(findOwner('B=QUAYSIDE_OWNER=h:1.1\0XQUAYSIDE_OWNER=h:1.1\0')).toBeUndefined()
  expect(findOwner('')).toBeUndefined()
})

test('each agent has its own tag, each run its own prefix, all of them the prefix of the hub', () => {
  const [first, second] = [new ProcessTags('h'), new ProcessTags('h')]
  expect(first.runPrefix).not.toBe(second.runPrefix)
  const tags = [first.next(), first.next(), second.next()]
  expect(new Set(tags).size).toBe(3)
  expect(tags.every((tag) => tag.startsWith(hubPrefix('h')))).toBe(true)
})

test('a data directory keeps its hub id; a copy of it is another hub', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quayside-tag-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const id = openHubId(folder)
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  expect(openHubId(folder)).toBe(id)
  const copy = join(folder, 'copy')
  cpSync(join(folder, 'hub-id'), join(copy, 'hub-id'))
  expect(openHubId(copy)).not.toBe(id)
})
