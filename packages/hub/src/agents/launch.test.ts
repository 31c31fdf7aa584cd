import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { InstalledExtension } from './extensions.js'
import { resolveLaunch } from './launch.js'
import { manifestSchema } from './manifest.js'

const PLACE = { cwd: '/repo', dataDir: '/data' }

function extension(agent: Partial<z.input<typeof manifestSchema>['agent']>): InstalledExtension {
  return {
    folder: '/ext/acp/x',
    manifest: manifestSchema.parse({
      id: 'x',
      name: 'Agent X',
      type: 'acp',
      install: 'npm install -g agent-x',
      agent: { command: '${NODE}', ...agent },
    }),
  }
}

test('variables are filled in, unknown ones stay as they are', () => {
  const launch = resolveLaunch(
    extension({
      args: ['${EXTENSION_DIR}/a.js', '--cwd=${CWD}', '${OTHER}'],
      env: { AT: '${CWD}', KEEP: '${DATA_DIR}/x' },
    }),
    PLACE,
    {},
  )
  expect(launch.command).toBe(process.execPath)
  expect(launch.args).toEqual(['/ext/acp/x/a.js', '--cwd=/repo', '${OTHER}'])
  expect(launch.env).toEqual({ AT: '/repo', KEEP: '/data/x' })
})

test('the environment is an allow-list: secrets of the hub stay with the hub', () => {
  const { env } = resolveLaunch(extension({ inheritEnv: ['X_API_KEY'] }), PLACE, {
    PATH: '/bin',
    HOME: '/home/me',
    LC_ALL: 'C',
    X_API_KEY: 'for the agent',
    QUAYSIDE_TOKEN: 'never',
    AWS_SECRET_ACCESS_KEY: 'never',
    DATABASE_URL: 'never',
  })
  expect(env).toEqual({ PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', X_API_KEY: 'for the agent' })
})

test('a missing program is named with the path that was tried and how to install it', () => {
  const missing = extension({ command: 'agent-x', pathEnv: 'X_PATH' })
  expect(() => resolveLaunch(missing, PLACE, { PATH: '/nowhere' })).toThrow(
    /Agent X is not installed\. "agent-x" is not on the PATH\. Install it with: npm install -g agent-x/,
  )
  try {
    resolveLaunch(missing, PLACE, { PATH: '/nowhere', X_PATH: '/opt/gone/agent-x' })
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({
      code: 'agent_not_installed',
      details: { path: '/opt/gone/agent-x', pathEnv: 'X_PATH', extensionId: 'x' },
    })
  }
})

test('a folder or a file that may not be executed is not a program', () => {
  expect(() => resolveLaunch(extension({ command: '/tmp' }), PLACE, {})).toThrow(/not installed/)
  expect(() =>
    resolveLaunch(extension({ command: fileURLToPath(import.meta.url) }), PLACE, {}),
  ).toThrow(/There is no program at .*launch\.test\.ts/)
})
