// Every state of the session page, from a scripted hub: its texts and its accessibility.
import { readFile } from 'node:fs/promises'
import type { EventBody, SessionUpdate } from '@quayside/protocol'
import { expect, test } from 'vitest'
import { violationsOf } from './accessible.js'
import { ScriptedStage } from './scripted-stage.js'
import { SCREENS } from './test-browser.js'
import { isTooWide } from './too-wide.js'

const DARK = { colorScheme: 'dark' } as const
const SMALL = { width: 320, height: 640 }

const stage = new ScriptedStage()

test.each([
  { name: 'a light desktop', screen: SCREENS.desktop, look: { colorScheme: 'light' } },
  { name: 'a dark desktop', screen: SCREENS.desktop, look: { colorScheme: 'dark' } },
  { name: 'a light phone', screen: SCREENS.phone, look: { colorScheme: 'light' } },
  { name: 'a dark, small phone', screen: SCREENS.phone, look: { ...DARK, viewport: SMALL } },
] as const)('a session with everything in it is accessible on $name', async ({ screen, look }) => {
  const { viewport } = { ...screen, ...look }
  const { page, faults } = await stage.openWith(
    (session) => session.append(...work(), ...question()),
    screen,
  )
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme: look.colorScheme })
  await page.getByLabel('Needs your decision').waitFor()
  expect(await violationsOf(page, { isOnlyWcag: true })).toEqual([])
  await expect.poll(() => isTooWide(page)).toBe(false)
  const lowest = await page.getByTestId('send').boundingBox()
  expect((lowest?.y ?? 0) + (lowest?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
  expect(faults).toEqual([])
})

test('an agent that is signed out is visible, with the way to sign in', async () => {
  const { page, session } = await stage.openWith((session) => {
    session.append(
      { type: 'agent.started', data: { acpSessionId: 'a', how: 'new' } },
      { type: 'agent.auth_changed', data: { signedIn: false, label: 'Not logged in' } },
    )
  })
  const pill = page.getByTestId('status-pill')
  await pill.getByText('Not signed in').waitFor()
  await page.getByText('The agent is not signed in (Not logged in).').waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'Sign in' }).getAttribute('href'))
    .toBe('/settings/agents')
  session.append({ type: 'agent.auth_changed', data: { signedIn: true } })
  await pill.getByText('Idle').waitFor()
})

test('a command in a terminal shows its line, output and exit', async () => {
  const { page, session } = await stage.openWith((session) => {
    session.append(...begun(), {
      type: 'terminal.opened',
      data: { terminalId: 'x', command: 'npm', args: ['test'], cwd: '/src/shop-api' },
    })
    session.append(
      update({
        sessionUpdate: 'tool_call',
        toolCallId: 'c',
        title: 'npm test',
        kind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: 'x' }],
      }),
    )
  })
  await page.getByText('No output yet').waitFor()
  session.append({
    type: 'terminal.exited',
    data: {
      terminalId: 'x',
      exitCode: 1,
      signal: null,
      output: Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n'),
      truncated: false,
    },
  })

  const card = page.getByTestId('tool-card')
  await card.getByText('exit 1').waitFor()
  await expect.poll(() => card.innerText()).toContain('$ npm test')
  // By key: the card has grown, the list moves to its end, and a click would miss the button.
  await card.getByRole('button', { name: 'Show 10 earlier lines' }).press('Enter')
  await card
    .getByLabel('Output', { exact: true })
    .filter({ hasText: /^line 1\s/ })
    .waitFor()
})

test('an output that the page has and does not show can be saved', async () => {
  const lines = Array.from({ length: 60_000 }, (_, line) => `${line + 1}\n`).join('')
  const call = { toolCallId: 'c', title: 'npm test', kind: 'execute', status: 'in_progress' }
  const { page } = await stage.openWith((session) => {
    const output = { _meta: { terminal_output: { data: lines } } }
    session.append(...begun(), update({ sessionUpdate: 'tool_call', ...call, ...output }))
  })
  const card = page.getByTestId('tool-card')
  await card.getByText('Only the end of this output is shown.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Download all (349 kB)' }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe(lines)
})

test('a plan whose turn is over shows no step in progress', async () => {
  const entries = [{ content: 'Reproduce it', status: 'in_progress' }]
  const { page, session } = await stage.openWith((session) => {
    session.append(...begun(), update({ sessionUpdate: 'plan', entries }))
  })
  const step = page.getByTestId('plan').getByRole('listitem')
  await step.getByText('(in progress)').waitFor()
  session.append({ type: 'turn.ended', data: { turnId: 't', stopReason: 'end_turn' } })
  await step.getByText('(to do)').waitFor()
})

test('thoughts are open while they stream and folded afterwards; the person’s choice stays', async () => {
  const { page, session } = await stage.openWith((session) => {
    session.append(...begun(), thought('First this, '))
  })
  await page.getByText('First this,').waitFor()
  session.append(thought('then that.'), say('Done.'))
  await page.getByText('Done.').waitFor()
  await expect.poll(() => page.getByText('First this,').count()).toBe(0)
  await page.getByTestId('thought').getByText('Thought').click()
  await page.getByText('First this, then that.').waitFor()
  session.append(say(' And more.'))
  await page.getByText('Done. And more.').waitFor()
  await expect.poll(() => page.getByText('First this, then that.').count()).toBe(1)
})

test('thoughts that a person does not want to see are not there', async () => {
  const { page } = await stage.openWith((session) => {
    session.append(...begun(), thought('First this.'), say('Done.'))
  })
  await page.getByRole('log').getByText('Done.').waitFor()
  await page.getByTestId('thought').waitFor()
  await page.evaluate(hideThoughts)
  await expect.poll(() => page.getByTestId('thought').count()).toBe(0)
})

test('a very long session has only the rows in sight in the page, and stays at its end', async () => {
  const { page, session } = await stage.openWith((session) => {
    for (let turn = 0; turn < 300; turn += 1) session.append(...shortTurn(`t${turn}`))
  })
  await page.getByText('Answer t299', { exact: true }).waitFor()
  await expect.poll(() => page.locator('.timeline .row').count()).toBeLessThan(100)
  for (let turn = 300; turn < 310; turn += 1) session.append(...shortTurn(`t${turn}`))
  await page.getByText('Answer t309', { exact: true }).waitFor()
})

/** Runs in the page: the person chooses it in another tab. */
function hideThoughts(): void {
  const key = 'quayside.preferences'
  localStorage.setItem(key, JSON.stringify({ isWelcomed: true, thoughts: 'hidden' }))
  dispatchEvent(new StorageEvent('storage', { key }))
}

function work(): EventBody[] {
  return [
    ...begun(),
    thought('I look at the test first.'),
    update({
      sessionUpdate: 'plan',
      entries: [
        { content: 'Reproduce the failure', status: 'completed' },
        { content: 'Make the test wait', status: 'in_progress', priority: 'high' },
        { content: 'Run the suite', status: 'pending' },
      ],
    }),
    say('# What I found\n\nThe stub is **not awaited**: see [the docs](https://example.com/).\n\n'),
    say(
      '```ts\nconst ready = await stub()\n```\n\n| step | took |\n|---|--:|\n| build | 2 s |\n\n- one\n',
    ),
    ...['a', 'b', 'c'].map((id) =>
      update({
        sessionUpdate: 'tool_call',
        toolCallId: id,
        title: `Read ${id}.ts`,
        kind: 'read',
        status: 'completed',
      }),
    ),
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'edit',
      title: 'Edit test.ts',
      kind: 'edit',
      status: 'completed',
      content: [
        {
          type: 'diff',
          path: '/src/shop-api/test/checkout.submit.test.ts',
          oldText: 'a\nsetup()\n',
          newText: 'a\nawait setup()\n',
        },
      ],
    }),
    update({
      sessionUpdate: 'tool_call',
      toolCallId: 'run',
      title: 'npm test',
      kind: 'execute',
      status: 'failed',
      content: [
        {
          type: 'content',
          content: { type: 'text', text: '\u001B[32mok\u001B[0m\n\u001B[31mno\u001B[0m' },
        },
      ],
    }),
    update({ sessionUpdate: 'usage_update', used: 150_000, size: 200_000 }),
    {
      type: 'notice',
      data: { severity: 'warning', code: 'agent_silent', message: 'No news for a while.' },
    },
    {
      type: 'turn.queued',
      data: { turnId: 't2', prompt: [{ type: 'text', text: 'then the changelog' }] },
    },
  ]
}

function question(): EventBody[] {
  const toolCall = { toolCallId: 'ask', title: 'npm test -- --repeat 20', kind: 'execute' }
  const options = [
    { optionId: '1', name: 'Allow once', kind: 'allow_once' },
    { optionId: '2', name: 'Always allow npm test', kind: 'allow_always' },
    { optionId: '3', name: 'Reject', kind: 'reject_once' },
  ]
  return [{ type: 'permission.requested', data: { permissionId: 'p', toolCall, options } }]
}

function begun(turnId = 't'): EventBody[] {
  return [
    { type: 'turn.queued', data: { turnId, prompt: [{ type: 'text', text: `Do ${turnId}` }] } },
    { type: 'turn.started', data: { turnId } },
  ]
}

function shortTurn(turnId: string): EventBody[] {
  const answer = {
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'text', text: `Answer ${turnId}` },
  }
  return [
    ...begun(turnId),
    { type: 'acp.update', data: { turnId, update: answer } },
    { type: 'turn.ended', data: { turnId, stopReason: 'end_turn', durationMs: 1_000 } },
  ]
}

function say(text: string): EventBody {
  return update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
}

function thought(text: string): EventBody {
  return update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } })
}

function update(update: SessionUpdate): EventBody {
  return { type: 'acp.update', data: { turnId: 't', update } }
}
