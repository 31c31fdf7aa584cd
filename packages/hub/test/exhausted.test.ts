// A hub that has no file descriptor left: it answers 503 and recovers.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Repo } from '@quayside/protocol'
import { expect, onTestFinished, test } from 'vitest'
import { startHubChild } from './hub-child.js'
import { makeRepository, TOKEN } from './test-hub.js'

/** Limits of another process are settable on Linux only. */
test.skipIf(process.platform !== 'linux')(
  'without a descriptor left a look at a repository and a new session are 503, and work again afterwards',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quayside-exhausted-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    makeRepository(join(folder, 'workspace', 'shop'))
    const hub = await startHubChild(['--root', join(folder, 'workspace')], {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
    })
    onTestFinished(async () => void (await hub.stop('SIGTERM')))
    // One connection for all requests: a new one would need a descriptor.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const ask = (path: string, body?: object): Promise<Answer> =>
      askHub(`${hub.address}${path}`, agent, body)
    const { body } = await ask('/api/repos')
    const [repo] = (body as { repos: Repo[] }).repos
    const status = `/api/repos/${repo!.id}/status`
    expect((await ask(status)).status).toBe(200)

    const { pid } = hub.process
    const limit = (soft: number): void =>
      void execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${soft}:`])
    const before = Number(
      execFileSync('prlimit', [`--pid=${pid}`, '--nofile', '--output=SOFT', '--noheadings']),
    )
    limit(readdirSync(`/proc/${pid}/fd`).length)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(status)))
    for (const answer of answers)
      expect(answer, unexpected(hub.output())).toMatchObject({
        status: 503,
        body: { error: { code: 'too_many_open_files' } },
      })
    const session = { repoId: repo!.id, extensionId: 'demo' }
    expect(await ask('/api/sessions', session), 'an agent has no pipes').toMatchObject({
      status: 503,
      body: { error: { code: 'too_many_open_files' } },
    })
    limit(before)
    expect((await ask(status)).status).toBe(200)
    expect((await ask('/api/sessions', session)).status).toBe(201)
  },
)

/** Errors of the log that say nothing about descriptors. */
function unexpected(output: string): string {
  const errors = output.split('\n').filter((line) => line.startsWith('{"level":50'))
  return errors.filter((line) => !line.includes('"code":"EMFILE"')).join('\n')
}

type Answer = { readonly status: number; readonly body: unknown }

function askHub(url: string, agent: Agent, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const asked = request(url, { agent, method: body ? 'POST' : 'GET', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) }))
    })
    asked.on('error', reject).end(body && JSON.stringify(body))
  })
}
