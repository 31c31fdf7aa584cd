// The page on a session of 100,000 updates in a real browser: opening it, following and reading while updates arrive, and
// loading earlier rows. Compared with the naive page: all events in one React state, all rows mounted.
import { chromium } from 'playwright-core'
import { findChromium } from '../scripts/browser.mjs'
import { median, percentile } from './numbers.mjs'
import { serveNaivePage } from './page-naive.mjs'
import { RelayHub } from './relay-hub.mjs'

const TURNS = 200
const UPDATES_A_TURN = 500
/** Four every ten milliseconds for eight seconds. */
const STREAMED = 3200
const AT_ONCE = 4
const MEASURED_MS = 7000
const PREPENDS = 5
const NAIVE_MS = 180_000
const SCREEN = { viewport: { width: 1440, height: 900 } }

export async function benchPage({ rounds, note }) {
  const browser = await chromium.launch(await findChromium())
  const hub = await RelayHub.start()
  try {
    note('page: writing the session')
    const sessionId = await writeSession(hub)
    const naive = await serveNaivePage(await hub.events(sessionId))
    const seen = []
    for (let round = 1; round <= rounds; round += 1) {
      note(`page: round ${round} of ${rounds}, the app`)
      const app = await measureApp(browser, hub, sessionId)
      note(`page: round ${round} of ${rounds}, the naive page`)
      const naivePage = await measureNaive(browser, naive.address)
      seen.push([app, naivePage, await measureEmpty(browser)])
    }
    await naive.close()
    return [
      {
        title: `A session of ${TURNS * UPDATES_A_TURN} updates in Chromium, medians of ${rounds} rounds`,
        rows: ['the app', 'naive React', 'an empty page'].map((what, index) => ({
          what,
          ...middle(seen.map((round) => round[index])),
        })),
      },
      {
        title: 'What is read moves by so many pixels at most, in any frame',
        rows: [middle(seen.map(([app]) => app.drift))],
      },
    ]
  } finally {
    await browser.close()
    await hub.stop()
  }
}

async function writeSession(hub) {
  const sessionId = await hub.createSession()
  const follower = await hub.follow(sessionId)
  for (let turn = 0; turn < TURNS; turn += 1) {
    const end = follower.turnEnded()
    await hub.prompt(sessionId, `mixed ${UPDATES_A_TURN}`)
    await end
  }
  follower.close()
  return sessionId
}

async function measureApp(browser, hub, sessionId) {
  const page = await browser.newPage(SCREEN)
  await page.goto(`${hub.address}/#code=${await hub.loginCode()}`)
  // The page removes the code from the address after using it.
  await page.waitForFunction(() => location.hash === '' && document.querySelector('main'))
  const start = performance.now()
  await page.goto(`${hub.address}/s/${sessionId}`)
  await page.getByTestId('msg-agent').last().waitFor()
  const openMs = performance.now() - start
  const opened = await weigh(page)
  const stream = () => hub.prompt(sessionId, `drip ${STREAMED} ${AT_ONCE}`)

  const followed = await framesWhile(page, stream)
  const ended = await endOfTurn(hub, sessionId)
  await ended()
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, -600)
  const reading = await driftWhile(page, stream)
  await (
    await endOfTurn(hub, sessionId)
  )()
  const older = await driftOfPrepends(page)
  const heap = await weigh(page)
  await page.close()
  return {
    'open ms': openMs,
    'DOM nodes': opened.nodes,
    ...followed,
    'heap MB': heap.heapMb,
    drift: { 'while it streams': reading, [`over ${PREPENDS} loads of earlier rows`]: older },
  }
}

async function measureNaive(browser, address) {
  const page = await browser.newPage(SCREEN)
  const start = performance.now()
  await page.goto(address)
  await page.locator('#last').waitFor({ state: 'attached', timeout: NAIVE_MS })
  const openMs = performance.now() - start
  const { nodes } = await weigh(page)
  const followed = await framesWhile(page, () =>
    page.evaluate((wish) => void globalThis.stream(wish), { count: STREAMED, atOnce: AT_ONCE }),
  )
  const { heapMb } = await weigh(page)
  await page.close()
  return { 'open ms': openMs, 'DOM nodes': nodes, ...followed, 'heap MB': heapMb }
}

/** The cost of frames on this machine at this moment. */
async function measureEmpty(browser) {
  const page = await browser.newPage(SCREEN)
  const start = performance.now()
  await page.goto('about:blank')
  const openMs = performance.now() - start
  const followed = await framesWhile(page, () => {})
  const { nodes, heapMb } = await weigh(page)
  await page.close()
  return { 'open ms': openMs, 'DOM nodes': nodes, ...followed, 'heap MB': heapMb }
}

/** The heap in use, after a garbage collection. */
async function weigh(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  await session.detach()
  return { nodes, heapMb: usedSize / 1024 ** 2 }
}

async function framesWhile(page, stream) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await stream()
  const before = await busyMs(session)
  const { frames, tasks, away } = await page.evaluate(watchFrames, MEASURED_MS)
  const busy = (await busyMs(session)) - before
  await session.detach()
  return {
    'main thread ms/s': (busy * 1000) / MEASURED_MS,
    'main thread ms/frame': busy / frames.length,
    'frame p50 ms': median(frames),
    'frame p95 ms': percentile(frames, 0.95),
    'frame p99 ms': percentile(frames, 0.99),
    'tasks over 50 ms': tasks.length,
    'longest task ms': Math.max(0, ...tasks),
    'px from the end': away,
  }
}

/** CPU time of the page's main thread so far: a busy machine delays frames, but hardly raises their cost. */
async function busyMs(session) {
  const { metrics } = await session.send('Performance.getMetrics')
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value
}

/** Runs in the page: the time between frames, long tasks, and the largest distance of the conversation from its end. */
async function watchFrames(ms) {
  const tasks = []
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  )
  observer.observe({ type: 'longtask' })
  const scroller = document.querySelector('[data-testid=timeline]') ?? document.scrollingElement
  const frames = []
  let away = 0
  const start = performance.now()
  for (let last = start; last - start < ms;) {
    const now = await new Promise((resolve) => {
      requestAnimationFrame(resolve)
    })
    frames.push(now - last)
    // This reads the state painted in the previous frame, except in the first one, where the page's own work may run earlier.
    if (frames.length > 1)
      away = Math.max(away, scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight)
    last = now
  }
  observer.disconnect()
  return { frames: frames.slice(2), tasks, away }
}

async function driftWhile(page, stream) {
  await stream()
  return page.evaluate(watchDrift, { ms: MEASURED_MS / 2 })
}

/** Scrolls up until earlier rows are requested, and measures how far the visible row moves when they arrive. */
async function driftOfPrepends(page) {
  let worst = 0
  for (let load = 0; load < PREPENDS; load += 1) {
    const asked = heldRequest(page)
    await page.evaluate(() => {
      document.querySelector('[data-testid=timeline]').scrollTop = 500
    })
    const route = await asked
    const drift = page.evaluate(watchDrift, { ms: 1500 })
    // Waits until the page is idle.
    setTimeout(() => void route.continue(), 1000)
    worst = Math.max(worst, await drift)
  }
  return worst
}

/** Holds the next request for earlier rows back until it is released. */
function heldRequest(page) {
  return new Promise((resolve, reject) => {
    page.route(/timeline\?.*before=/, resolve, { times: 1 }).catch(reject)
  })
}

/** Runs in the page: the largest movement of the middle row in one frame. */
async function watchDrift({ ms }) {
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve)
    })
  for (let passed = 0; passed < 30; passed += 1) await frame()
  const scroller = document.querySelector('[data-testid=timeline]')
  const { top, height } = scroller.getBoundingClientRect()
  const fromMiddle = (element) => {
    const box = element.getBoundingClientRect()
    return Math.abs((box.top + box.bottom) / 2 - (top + height / 2))
  }
  const rows = [...scroller.querySelectorAll('.row')]
  const [row] = rows.toSorted((one, other) => fromMiddle(one) - fromMiddle(other))
  if (!row) throw new Error('the conversation shows no rows')
  const before = row.getBoundingClientRect().top
  let worst = 0
  for (const start = performance.now(); performance.now() - start < ms;) {
    await frame()
    if (!row.isConnected) throw new Error('the row that was read is gone')
    worst = Math.max(worst, Math.abs(row.getBoundingClientRect().top - before))
  }
  return worst
}

/** Called while the turn is running; resolves at its end. */
async function endOfTurn(hub, sessionId) {
  const follower = await hub.follow(sessionId, await hub.lastSeq(sessionId))
  const end = follower.turnEnded()
  return async () => {
    await end
    follower.close()
  }
}

function middle(rounds) {
  const figures = Object.entries(rounds[0]).filter(([, value]) => typeof value === 'number')
  return Object.fromEntries(
    figures.map(([name]) => [
      name,
      Number(median(rounds.map((round) => round[name])).toPrecision(3)),
    ]),
  )
}
