// The page on a session of 100,000 updates in a real browser: opening it, following and reading while updates arrive, and
// loading earlier rows. Compared with the naive page: all events in one React state, all rows mounted.
import { chromium } from 'playwright-core'
import { findChromium } from '../../../scripts/tools/browser.mjs'
import { serveNaivePage } from '../../floors/naive-page.mjs'
import { BenchHub } from '../../hubs/bench-hub.mjs'
import { medianRows } from '../../load/numbers.mjs'
import { driftOfPrepends, framesWhile, watchDrift, weigh } from './watch-page.mjs'

/** Updates are streamed four at a time, every ten milliseconds. */
export const sizes = {
  full: { turns: 200, updates: 500, streamed: 3200, measuredMs: 7000, prepends: 5, idleMs: 1000 },
  smoke: { turns: 60, updates: 40, streamed: 40, measuredMs: 100, prepends: 1, idleMs: 50 },
}
const EVERY_MS = 10
const AT_ONCE = 4
const NAIVE_MS = 180_000
const SCREEN = { viewport: { width: 1440, height: 900 } }

export async function measure({ rounds, size, note }) {
  const browser = await chromium.launch(await findChromium())
  const hub = await BenchHub.start()
  try {
    note('writing the session')
    const sessionId = await writeSession(hub, size)
    const naive = await serveNaivePage(await hub.events(sessionId))
    const seen = []
    for (let round = 1; round <= rounds; round += 1) {
      note(`round ${round} of ${rounds}, the app`)
      const app = await measureApp(browser, { hub, sessionId, size })
      note(`round ${round} of ${rounds}, the naive page`)
      const naivePage = await measureNaive(browser, naive.address, size)
      seen.push({ ...app, pages: [app.page, naivePage, await measureEmpty(browser, size)] })
    }
    await naive.close()
    return toResult(seen, size)
  } finally {
    await browser.close()
    await hub.stop()
  }
}

function toResult(seen, { turns, updates }) {
  const pages = medianRows(seen.map((round) => round.pages))
  const [drift] = medianRows(seen.map((round) => [round.drift]))
  const tables = [
    { title: `A session of ${turns * updates} updates in Chromium`, rows: pages },
    { title: 'What is read moves by so many pixels at most, in any frame', rows: [drift] },
  ]
  const [app] = pages
  const figures = {
    frameP95: app['frame p95 ms'],
    longestTask: app['longest task ms'],
    fromEnd: app['px from the end'],
    drift: Math.max(...Object.values(drift)),
    heapMb: app['heap MB'],
  }
  return { tables, figures }
}

async function writeSession(hub, { turns, updates }) {
  const sessionId = await hub.createSession()
  const follower = await hub.follow(sessionId)
  for (let turn = 0; turn < turns; turn += 1) {
    const end = follower.turnEnded()
    await hub.prompt(sessionId, `mixed ${updates}`)
    await end
  }
  follower.close()
  return sessionId
}

async function measureApp(browser, { hub, sessionId, size }) {
  const page = await browser.newPage(SCREEN)
  await page.goto(`${hub.address}/#code=${await hub.loginCode()}`)
  // The page removes the code from the address after using it.
  await page.waitForFunction(() => location.hash === '' && document.querySelector('main'))
  const start = performance.now()
  await page.goto(`${hub.address}/s/${sessionId}`)
  await page.getByTestId('msg-agent').last().waitFor()
  const openMs = performance.now() - start
  const opened = await weigh(page)
  const streams = []
  const stream = async () => streams.push(await startStream(hub, sessionId, size.streamed))

  const followed = await framesWhile(page, size.measuredMs, stream)
  await streams[0].ended
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -600)
  await stream()
  const reading = await page.evaluate(watchDrift, { ms: size.measuredMs / 2 })
  await streams[1].ended
  const older = await driftOfPrepends(page, size)
  const { heapMb } = await weigh(page)
  await page.close()
  return {
    page: {
      what: 'the app',
      'open ms': openMs,
      'DOM nodes': opened.nodes,
      ...followed,
      'heap MB': heapMb,
    },
    drift: { 'while it streams': reading, [`over ${size.prepends} loads of earlier rows`]: older },
  }
}

async function measureNaive(browser, address, { streamed, measuredMs }) {
  const page = await browser.newPage(SCREEN)
  const start = performance.now()
  await page.goto(address)
  await page.locator('#last').waitFor({ state: 'attached', timeout: NAIVE_MS })
  const openMs = performance.now() - start
  const { nodes } = await weigh(page)
  const followed = await framesWhile(page, measuredMs, () =>
    page.evaluate((request) => void globalThis.stream(request), {
      count: streamed,
      atOnce: AT_ONCE,
    }),
  )
  const { heapMb } = await weigh(page)
  await page.close()
  return {
    what: 'naive React',
    'open ms': openMs,
    'DOM nodes': nodes,
    ...followed,
    'heap MB': heapMb,
  }
}

/** The cost of frames on this machine at this moment. */
async function measureEmpty(browser, { measuredMs }) {
  const page = await browser.newPage(SCREEN)
  const start = performance.now()
  await page.goto('about:blank')
  const openMs = performance.now() - start
  const followed = await framesWhile(page, measuredMs, () => {})
  const { nodes, heapMb } = await weigh(page)
  await page.close()
  return {
    what: 'an empty page',
    'open ms': openMs,
    'DOM nodes': nodes,
    ...followed,
    'heap MB': heapMb,
  }
}

/** `ended` resolves at the end of its turn. */
async function startStream(hub, sessionId, updates) {
  const follower = await hub.followEnd(sessionId)
  const ended = follower.turnEnded().then(() => follower.close())
  await hub.prompt(sessionId, `drip ${updates} ${EVERY_MS} ${AT_ONCE}`)
  return { ended }
}
