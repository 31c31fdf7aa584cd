// The built `quayside` command with a demo agent, killed and stopped, leaves no process behind.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo, SessionSummary } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { openHubId } from '../src/process/process-tag.js'
import { startHubChild } from './hub-child.js'
import { processTable, tagged, untilNone } from './orphans-fixture.js'
import { makeRepository, TOKEN } from './test-hub.js'

async function startWithAgent() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-orphans-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  makeRepository(join(folder, 'workspace', 'shop-api'))
  const hub = await startHubChild([], {
    QUAYSIDE_DATA_DIR: join(folder, 'data'),
    QUAYSIDE_TOKEN: TOKEN,
    AGENT_WORKSPACE_ROOT: join(folder, 'workspace'),
  })
  onTestFinished(() => void hub.process.kill('SIGKILL'))
  const post = async <T>(path: string, body: unknown): Promise<T> => {
    const response = await fetch(`${hub.address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as T
  }
  const { repos } = await post<{ repos: Repo[] }>('/api/repos/scan', {})
  await post<SessionSummary>('/api/sessions', { repoId: repos[0]!.id, extensionId: 'demo' })
  const hubId = openHubId(join(folder, 'data'))
  expect(tagged(hubId)).not.toEqual([])
  return { hub, hubId, watchdogs: () => watchdogsOf(hub.process.pid) }
}

function watchdogsOf(hubPid: number | undefined): number[] {
  return processTable()
    .filter(({ ppid, owner }) => ppid === hubPid && owner === 'none')
    .map(({ pid }) => pid)
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a hub ended by %s leaves neither agent nor watchdog',
  async (signal) => {
    const { hub, hubId, watchdogs } = await startWithAgent()
    const [watchdog] = watchdogs()
    expect(watchdog).toBeGreaterThan(1)
    await hub.stop(signal)
    if (signal === 'SIGTERM') expect(tagged(hubId)).toEqual([])
    await untilNone(() => tagged(hubId))
    await untilNone(() => processTable().filter(({ pid }) => pid === watchdog))
  },
)
