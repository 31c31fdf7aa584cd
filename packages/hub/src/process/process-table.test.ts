import { expect, test } from 'vitest'
import { parsePsLine, parseStat } from './process-table.js'

test('a line of /proc/<pid>/stat is read, whatever the program calls itself', () => {
  const line =
    '4242 (a) (b S 1) Z 17 4200 4200 0 -1 4194304 9 0 0 0 1 2 0 0 20 0 1 0 987654 2445312 10 184'
  expect(parseStat(line)).toMatchObject({
    pid: 4242,
    name: 'a) (b S 1',
    ppid: 17,
    pgid: 4200,
    startTime: 987_654,
    isZombie: true,
  })
  expect(parseStat(line)!.rssBytes % 40_960).toBe(0)
  expect(parseStat('4242')).toBeUndefined()
})

test('a line of ps on macOS is read, with the owner from the environment behind the command', () => {
  const line =
    '  501  1  501  2048 Ss   Sun Nov  2 09:08:07 2026 /opt/node agent.js QUAYSIDE_OWNER=spoof PATH=/bin QUAYSIDE_OWNER=ab:c.1'
  expect(parsePsLine(line)).toEqual({
    pid: 501,
    ppid: 1,
    pgid: 501,
    name: 'node',
    rssBytes: 2 * 1024 * 1024,
    startTime: Date.parse('Sun Nov  2 09:08:07 2026'),
    isZombie: false,
    owner: 'ab:c.1',
  })
  expect(parsePsLine('')).toBeUndefined()
})
