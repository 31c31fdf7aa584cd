// Measurements in a page: frames, long tasks, movements of what is read, memory.
import { median, percentile } from '../../load/numbers.mjs'

const ASK_MS = 30_000

/** The heap in use, after a garbage collection. */
export async function weigh(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  await session.detach()
  return { nodes, heapMb: usedSize / 1024 ** 2 }
}

export async function framesWhile(page, measuredMs, stream) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await stream()
  const before = await busyMs(session)
  const { frames, tasks, away } = await page.evaluate(watchFrames, measuredMs)
  const busy = (await busyMs(session)) - before
  await session.detach()
  return {
    'main thread ms/s': (busy * 1000) / measuredMs,
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
  const UNCOUNTED = 2
  const tasks = []
  const observer = new PerformanceObserver((list) =>
    tasks.push(...list.getEntries().map(({ duration }) => duration)),
  )
  observer.observe({ type: 'longtask' })
  const scroller = document.querySelector('[data-testid=timeline]') ?? document.scrollingElement
  const frames = []
  let away = 0
  const start = performance.now()
  // On a busy machine the first frames, which do not count, may take all of the time.
  for (let last = start; last - start < ms || frames.length <= UNCOUNTED;) {
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
  return { frames: frames.slice(UNCOUNTED), tasks, away }
}

/** Scrolls up until earlier rows are requested, and measures how far the visible row moves when they arrive. */
export async function driftOfPrepends(page, { prepends, idleMs }) {
  let worst = 0
  for (let load = 0; load < prepends; load += 1) {
    const asked = heldRequest(page)
    await page.evaluate(() => {
      document.querySelector('[data-testid=timeline]').scrollTop = 500
    })
    const route = await asked
    const drift = page.evaluate(watchDrift, { ms: idleMs * 1.5 })
    // Waits until the page is idle.
    setTimeout(() => void route.continue(), idleMs)
    worst = Math.max(worst, await drift)
  }
  return worst
}

/** Holds the next request for earlier rows back until it is released. */
function heldRequest(page) {
  return new Promise((resolve, reject) => {
    const late = new Error('the page did not ask for earlier rows')
    setTimeout(reject, ASK_MS, late).unref()
    page.route(/timeline\?.*before=/, resolve, { times: 1 }).catch(reject)
  })
}

/** Runs in the page: the largest movement of the middle row in one frame. */
export async function watchDrift({ ms }) {
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
