// A page for react.test.ts: a list of items that counts the renders of each component, with an in-memory hub.
import { createElement, memo, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  HubProvider,
  useConnection,
  useSession,
  useTimeline,
  useTimelineItem,
} from '../src/react/index.js'
import { ScriptedHub } from '../src/testing/index.js'

const ROWS = 100
const DELTAS = 1_000
const DELTAS_PER_FRAME = 20

const hub = new ScriptedHub()
const session = hub.addSession()
const draws: Record<string, number> = {}

function drawn(name: string): void {
  draws[name] = (draws[name] ?? 0) + 1
}

const Row = memo(function Row({ id }: { id: string }) {
  const item = useTimelineItem(session.id, id)
  drawn(id)
  return createElement('p', { id }, item?.type === 'text' ? item.text : item?.type)
})

function List() {
  const { ids } = useTimeline(session.id)
  drawn('list')
  return createElement(
    'div',
    { id: 'rows' },
    ...ids.map((id) => createElement(Row, { key: id, id })),
  )
}

function Head() {
  const { is, activity, permissions, respond } = useSession(session.id)
  const { state } = useConnection()
  drawn('head')
  const buttons = permissions.map(({ permissionId, options }) =>
    options.map(({ optionId, name }) =>
      createElement(
        'button',
        { key: optionId, onClick: () => void respond(permissionId, optionId) },
        name,
      ),
    ),
  )
  return createElement('h1', {}, `${is} ${activity} ${state}`, ...buttons)
}

function say(text: string): void {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
  session.append({ type: 'acp.update', data: { turnId: 't1', update } })
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()))
}

/** Streams into one item, and returns the renders it caused. */
async function stream(): Promise<{ draws: Record<string, number>; frames: number; text: string }> {
  say('0 ')
  const row = `text:${session.log.length}`
  while (document.getElementById(row) === null) await nextFrame()
  await nextFrame()
  for (const name of Object.keys(draws)) draws[name] = 0
  let frames = 0
  for (let delta = 1; delta <= DELTAS; delta += 1) {
    say(`${delta} `)
    if (delta % DELTAS_PER_FRAME !== 0) continue
    await nextFrame()
    frames += 1
  }
  const textNow = () => document.getElementById(row)?.textContent ?? ''
  while (!textNow().endsWith(`${DELTAS} `)) await nextFrame()
  return { draws, frames, text: textNow() }
}

session.append(
  { type: 'turn.queued', data: { turnId: 't1', prompt: [{ type: 'text', text: 'Count' }] } },
  { type: 'turn.started', data: { turnId: 't1' } },
)
for (let row = 0; row < ROWS; row += 1)
  session.append({ type: 'notice', data: { severity: 'info', code: 'note', message: `${row}` } })

Object.assign(globalThis, { stream, session })
const root = createRoot(document.body.appendChild(document.createElement('main')))
root.render(
  createElement(
    StrictMode,
    {},
    createElement(HubProvider, { client: hub.client() }, createElement(Head), createElement(List)),
  ),
)
