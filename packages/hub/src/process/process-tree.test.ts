import { expect, test } from 'vitest'
import type { ProcessEntry } from './process-table.js'
import { findOwned } from './process-tree.js'

function entry(pid: number, ppid: number, owner?: string): ProcessEntry {
  const rest = { pgid: pid, name: 'x', rssBytes: 0, startTime: pid, isZombie: false }
  return { pid, ppid, owner, ...rest }
}

test('a tree is those who are ours and their descendants, except who names another owner', () => {
  const table = [
    entry(40, 30),
    entry(10, 1, 'a:1.1'),
    entry(20, 10),
    entry(30, 20),
    entry(50, 1),
    entry(60, 20, 'b:1.1'),
    entry(70, 60),
    entry(80, 1, 'a:1.1'),
  ]
  const found = findOwned(table, ({ owner }) => owner === 'a:1.1')
  expect(new Set(found.map(({ pid }) => pid))).toEqual(new Set([10, 20, 30, 40, 80]))
})

test('neither zombies nor this process itself belong to a tree', () => {
  const table = [
    { ...entry(10, 1, 'a:1.1'), isZombie: true },
    entry(process.pid, 1, 'a:1.1'),
    entry(process.pid + 1, process.pid),
  ]
  expect(findOwned(table, ({ owner }) => owner === 'a:1.1')).toEqual([])
})
