// The page on a session of a scripted agent, for tests of the page alone: no hub, no repository, no child process.
import { ScriptedHub, type ScriptedSession, type ScriptedTurn } from '@quayside/client/testing'
import type { ConfigOption } from '@quayside/protocol'
import type { BrowserContext } from 'playwright-core'
import { expect } from 'vitest'
import { ReusedPages, type ReusedOptions } from './reused-pages.js'
import { Stage, useScriptedHub } from './scripted-page.js'
import { SCREENS, type WatchedPage } from './test-browser.js'

export type ScriptedPage = WatchedPage & {
  readonly hub: ScriptedHub
  readonly session: ScriptedSession
}

const OPTIONS = [
  { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
]

const MODES = [
  { value: 'ask', name: 'Ask' },
  { value: 'code', name: 'Code' },
]

const PART = 60

type Opening = {
  readonly fill: (session: ScriptedSession, hub: ScriptedHub) => void
  readonly screen: ReusedOptions
}

export class ScriptedStage {
  readonly #stage = new Stage()
  readonly #pages = new ReusedPages()
  readonly #hub = new ScriptedHub()
  readonly #commands = { ...this.#hub.commands }

  /** The page of the tests before, on a new session, which is the only one. Its hub has its first commands and answers. */
  async open(): Promise<ScriptedPage> {
    const opened = await this.openWith(() => {})
    await opened.page.getByText('Demo agent is ready. What').waitFor()
    return opened
  }

  /** The same on a session that has content when it is opened. */
  async openWith(
    fill: (session: ScriptedSession, hub: ScriptedHub) => void,
    screen: ReusedOptions = SCREENS.desktop,
  ): Promise<ScriptedPage> {
    const hub = this.#hub
    this.#reset()
    const earlier = [...hub.sessions.keys()]
    const opened = await this.#openOn(hub, { fill, screen })
    for (const id of earlier) hub.removeSession(id)
    const rows = opened.page.getByTestId('session-row')
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(1)
    return opened
  }

  /** A page with a hub of its own, on a new session. All pages of its context use the same hub. */
  async openOwn(): Promise<ScriptedPage> {
    const screen = { ...SCREENS.desktop, isOwnPage: true }
    const opened = await this.#openOn(new ScriptedHub(), { fill: () => {}, screen })
    await opened.page.getByText('Demo agent is ready. What').waitFor()
    return opened
  }

  async #openOn(hub: ScriptedHub, { fill, screen }: Opening): Promise<ScriptedPage> {
    hub.agent = playScript
    hub.routes.set('GET /api/terminals', () => ({ body: { terminals: [] } }))
    const session = hub.addSession()
    const status = `GET /api/repos/repo-1/status?sessionId=${session.id}`
    hub.routes.set(status, () => ({ body: { files: [] } }))
    fill(session, hub)
    const prepare = (context: BrowserContext) => useScriptedHub(context, hub)
    const options = { ...screen, prepare }
    const watched = await this.#pages.open(this.#stage.origin, `/s/${session.id}`, options)
    return { ...watched, hub, session }
  }

  #reset(): void {
    const { commands, requests, calls, routes } = this.#hub
    for (const name of Object.keys(commands)) delete commands[name as keyof typeof commands]
    Object.assign(commands, this.#commands)
    requests.length = 0
    calls.length = 0
    routes.clear()
    this.#hub.isUp = true
    this.#hub.isSignedIn = true
  }
}

/** Answers with the sixty items that changed last before an event, as a hub does. */
export function answerInParts(session: ScriptedSession, hub: ScriptedHub): void {
  hub.commands['session/timeline'] = ({ before }) => {
    const { items, ...part } = session.timeline(before === undefined ? undefined : Number(before))
    const newest = items.toSorted((one, other) => other.updatedSeq - one.updatedSeq).slice(0, PART)
    const isPart = newest.length < items.length
    return {
      ...part,
      items: items.filter((item) => newest.includes(item)),
      ...(isPart && { before: newest.at(-1)!.updatedSeq }),
    }
  }
}

/** The agent has two modes, and switches to the chosen one. */
export function offerModes(hub: ScriptedHub, session: ScriptedSession): void {
  const set = (value: unknown) => {
    const mode = { id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: value }
    const configOptions = [{ ...mode, options: MODES }] as ConfigOption[]
    const data = { optionId: 'mode', value: String(value), configOptions }
    session.append({ type: 'option.set', data })
    return { body: data }
  }
  set('ask')
  hub.routes.set(`PUT /api/sessions/${session.id}/options/mode`, ({ body }) =>
    set((body as { value: unknown }).value),
  )
}

/** Understands a few words of the demo agent, and `wait`, which ends only when it is cancelled. */
async function playScript(turn: ScriptedTurn): Promise<void> {
  const [word, ...rest] = turn.text.split(' ')
  if (word === 'wait') await new Promise(() => {})
  else if (word === 'ask') await ask(turn, 'Do nothing')
  else if (word === 'ask-twice')
    for (const title of ['Do nothing', 'Remove everything']) await ask(turn, title)
  else if (word === 'drip') drip(turn, Number(rest[0]))
  else if (word === 'edit') edit(turn, rest.join(' '))
  else turn.say(rest.join(' '))
}

async function ask(turn: ScriptedTurn, title: string): Promise<void> {
  const call = { toolCallId: `${title} ${turn.id}`, title, kind: 'other' }
  turn.tool({ ...call, status: 'pending' })
  const outcome = await turn.ask(call, OPTIONS)
  const isAllowed = outcome.outcome === 'selected' && outcome.optionId !== 'reject'
  turn.update({
    sessionUpdate: 'tool_call_update',
    toolCallId: call.toolCallId,
    status: isAllowed ? 'completed' : 'failed',
  })
}

function edit(turn: ScriptedTurn, path: string): void {
  const diff = {
    type: 'diff' as const,
    path: `/src/shop-api/${path}`,
    oldText: 'a\n',
    newText: 'b\n',
  }
  const call = { toolCallId: `call-${turn.id}`, title: `Edit ${path}`, kind: 'edit' }
  turn.tool({ ...call, status: 'completed', content: [diff] })
}

function drip(turn: ScriptedTurn, count: number): void {
  for (let drop = 1; drop <= count; drop += 1) turn.say(`drop ${drop}\n\n`)
}
