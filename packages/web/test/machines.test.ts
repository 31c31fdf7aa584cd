// The page with several machines: rows and headers say where a session runs, and a new session runs where the person chooses.
import { ScriptedHub } from '@quayside/client/testing'
import type { HubPlace, KnownHub } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothSchemes } from './accessible.js'
import { goTo } from './reused-pages.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { SCREENS } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const STUDIO = { id: 'm-studio', name: 'studio', state: 'here' } as const
const BUILD = { id: 'm-build', name: 'build', state: 'elsewhere' } as const
const SINCE = '2026-01-31T15:04:05.000Z'
const BUILD_AWAY: HubPlace = { ...BUILD, state: 'away', since: SINCE }

const stage = new Stage()

/** The hub of the machine `studio`; `build` has a repository of the same name and another one. */
function hubOfTwo(build: HubPlace = BUILD): ScriptedHub {
  const hub = new ScriptedHub()
  const repo = hub.repos[0]!
  hub.repos.splice(
    0,
    1,
    { ...repo, hub: STUDIO },
    { ...repo, id: 'repo-2', name: 'firmware', path: '/build/firmware', hub: build },
    { ...repo, id: 'repo-3', path: '/build/shop-api', hub: build },
  )
  hub.commands['hub/list'] = () => ({ hubs: [build, STUDIO].map(known) })
  return hub
}

function known(place: HubPlace): KnownHub {
  return { ...place, version: '1', startedAt: SINCE, address: `http://${place.name}.lan:4444` }
}

function row(page: Page, title: string) {
  return page.getByTestId('session-row').filter({ hasText: title })
}

/** The words of `since`, in the browser's time zone. */
function sinceIn(page: Page): Promise<string> {
  return page.evaluate((since) => {
    const fields = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
    return new Intl.DateTimeFormat('en', fields).format(new Date(since))
  }, SINCE)
}

test('rows and the header say on which machine a session runs, and since when it is away; the settings name the machine of agents, keys and folders', async () => {
  const { page, faults } = await stage.open(SCREENS.desktop)
  const hub = await useScriptedHub(page.context(), hubOfTwo())
  const [near, far, ended] = ['Near', 'Far', 'Ended'].map((title) => hub.addSession({ title }))
  near!.place = STUDIO
  far!.place = BUILD
  ended!.place = BUILD
  ended!.end('completed')
  await page.goto(`${stage.origin}/s/${far!.id}`)
  await expect.poll(() => row(page, 'Near').innerText()).toContain('studio · ')
  await expect.poll(() => row(page, 'Far').innerText()).toContain('build · ')
  await expect.poll(() => page.locator('.crumb').innerText()).toContain('build · shop-api')

  far!.place = BUILD_AWAY
  ended!.place = BUILD_AWAY
  const since = await sinceIn(page)
  await expect
    .poll(() => row(page, 'Far').innerText())
    .toContain(`build unreachable since ${since}`)
  await expect.poll(() => page.getByTestId('status-pill').innerText()).toBe('build (unreachable)')
  await page.getByText(`build is unreachable since ${since}. You can read`).waitFor()
  await expect.poll(() => row(page, 'Ended').innerText()).toContain('build (unreachable) · ')
  // It can still be read, and is found.
  await page.getByText('Demo agent is ready. What').waitFor()
  const found = {
    ...far!.summary,
    excerpt: [
      { text: 'ready', match: true },
      { text: ' to go', match: false },
    ],
  }
  const list = hub.commands['session/list']!
  hub.commands['session/list'] = (input) =>
    input['q'] === 'ready' ? { sessions: [found], total: 1, limit: 20, offset: 0 } : list(input)
  await page.getByRole('searchbox').fill('ready')
  await expect.poll(() => row(page, 'ready to go').innerText()).toContain(`since ${since}`)
  await expect.poll(() => row(page, 'Near').count()).toBe(0)
  await page.getByRole('searchbox').fill('')

  far!.place = BUILD
  await expect.poll(() => page.getByTestId('status-pill').innerText()).toBe('Idle')
  expect(faults).toEqual([])

  await goTo(page, '/settings/agents')
  const note = page.getByTestId('machine-note')
  await expect.poll(() => note.innerText()).toContain('keys and settings of studio')
  await page.getByRole('link', { name: 'Repositories' }).click()
  await expect.poll(() => note.innerText()).toContain('those of studio')
  await page.getByText('build:/build/firmware').waitFor()
  // A single hub has no name to tell.
  hub.commands['hub/list'] = () => ({ hubs: [known(STUDIO)] })
  await page.getByRole('link', { name: 'Agents' }).click()
  await page.getByRole('button', { name: 'Check again' }).waitFor()
  await expect.poll(() => note.count()).toBe(0)
})

test.each(Object.entries(SCREENS))(
  'a new session runs on the machine that the person chooses (%s)',
  async (_name, screen) => {
    const { page, faults } = await stage.open(screen)
    const hub = await useScriptedHub(page.context(), hubOfTwo())
    await page.goto(stage.origin)
    await page.getByRole('button', { name: 'Machine: studio' }).click()
    await page.getByRole('option', { name: /^studio this one$/ }).waitFor()
    await page.getByRole('option', { name: 'build' }).click()
    await page.getByRole('button', { name: 'Machine: build' }).waitFor()
    // The repository of the same name there.
    await page.getByRole('button', { name: 'Repository: shop-api' }).waitFor()
    await page.getByText('Runs on build, with the agents, keys and settings').waitFor()
    expect(await isTooWide(page)).toBe(false)
    await expect.poll(() => violationsInBothSchemes(page)).toEqual([])
    await page.getByTestId('composer-input').fill('echo hello')
    await page.getByTestId('send').click()
    const created = () => hub.requests.find((one) => one.path === '/api/sessions' && one.body)?.body
    await expect.poll(created).toMatchObject({ repoId: 'repo-3' })
    expect(faults).toEqual([])
  },
)

test('in a repository that several machines have, a new session runs on the chosen one', async () => {
  const { page, faults } = await stage.open(SCREENS.desktop)
  const hub = await useScriptedHub(page.context(), new ScriptedHub())
  hub.repos[0] = { ...hub.repos[0]!, hub: STUDIO, hubs: [STUDIO, BUILD] }
  const { id: repoId } = hub.repos[0]
  await page.goto(stage.origin)
  await page.getByRole('button', { name: 'Machine: studio' }).click()
  await page.getByRole('option', { name: 'build' }).click()
  await page.getByRole('button', { name: 'Machine: build' }).waitFor()
  await page.getByText('Runs on build, with the agents, keys and settings').waitFor()
  await page.getByTestId('composer-input').fill('echo hello')
  await page.getByTestId('send').click()
  const created = () => hub.requests.find((one) => one.path === '/api/sessions' && one.body)?.body
  await expect.poll(created).toMatchObject({ repoId, hub: BUILD.id })
  expect(faults).toEqual([])
})

test('a machine that is away says so before a session is started there', async () => {
  const { page, faults } = await stage.open(SCREENS.desktop)
  await useScriptedHub(page.context(), hubOfTwo(BUILD_AWAY))
  await page.goto(stage.origin)
  await page.getByRole('button', { name: 'Repository: shop-api' }).click()
  await page.getByRole('option', { name: 'firmware build' }).click()
  const since = await sinceIn(page)
  await page.getByText(`build is unreachable since ${since}.`).waitFor()
  await page.getByRole('button', { name: 'Machine: build' }).click()
  await page.getByRole('option', { name: `build unreachable since ${since}` }).waitFor()
  expect(faults).toEqual([])
})
