// The environment of programs that tests start: not the developer's own, so that a setting there changes no test.

/** Agents may be installed on this machine, but a session that names none starts the demo agent. */
export const TEST_AGENT = { QUAYSIDE_AGENT: 'demo' } as const

/** Read at each use: `process.env` may change. */
export function testEnvironment(): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], ...TEST_AGENT }
}
