// The metrics follow Prometheus' text format exactly and show the numbers of a real hub.
import { expect, test } from 'vitest'
import { Metrics, type Readings } from '../src/http/raw/metrics.js'
import { startTestHub } from './test-hub.js'

const NOTHING: Readings = {
  activeSessions: 0,
  runningTurns: 0,
  openPermissions: 0,
  openQuestions: 0,
  sockets: 0,
  acpClients: 0,
  eventsAppended: 0,
  commitFailures: 0,
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
const SAMPLE = new RegExp(String.raw`^(${NAME})(\{${LABEL}(?:,${LABEL})*\})? (-?[\d.e+-]+)$`)

/** Reads a scrape strictly by the format; returns the values by name and labels. */
function read(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true)
  const values = new Map<string, number>()
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const head = new RegExp(`^# (?:HELP (${NAME}) .+|TYPE ${NAME} (?:gauge|counter))$`).exec(line)
    if (head) {
      family = head[1] ?? family
      continue
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? []
    expect(name, line).toBe(family)
    expect(values.has(`${name}${labels}`), line).toBe(false)
    values.set(`${name}${labels}`, Number(value))
  }
  return values
}

test('every line has its form, whatever stands in a label', () => {
  const metrics = new Metrics('1.0\n"x"\\', () => NOTHING)
  const text = metrics.toText()
  expect(text).toContain(String.raw`quayside_info{version="1.0\n\"x\"\\"} 1`)
  const values = read(text)
  expect(values.get('quayside_sessions_active')).toBe(0)
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  expect([...values.keys()].filter((name) => name.includes('agent'))).toEqual([])
  expect([...values.values()].every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
})

test('requests are counted by their route, never by text that a client sends', () => {
  const metrics = new Metrics('1', () => NOTHING)
  metrics.countRequest('GET', '/api/sessions/one', 200)
  metrics.countRequest('GET', '/api/sessions/two/', 200)
  metrics.countRequest('HEAD', '/api/sessions/two', 404)
  for (let n = 0; n < 1000; n += 1) metrics.countRequest(`X${n}`, `/nothing/${n}`, 404)
  metrics.countRequest('GET', '/api/openapixjson', 404)
  const counts = [...read(metrics.toText())].filter(([name]) => name.startsWith('quayside_http'))
  const total = 'quayside_http_requests_total'
  expect(counts).toEqual([
    [`${total}{method="GET",route="/api/sessions/{id}",status="2xx"}`, 2],
    [`${total}{method="HEAD",route="/api/sessions/{id}",status="4xx"}`, 1],
    [`${total}{method="other",route="other",status="4xx"}`, 1000],
    [`${total}{method="GET",route="other",status="4xx"}`, 1],
  ])
})

test('the numbers of a hub follow what happens in it', async () => {
  await using hub = await startTestHub()
  const scrape = async () => read(await (await hub.fetch('/metrics')).text())
  const before = await scrape()
  expect(before.get('quayside_sessions_active')).toBe(0)
  expect(before.get('quayside_sockets_open')).toBe(0)

  const session = await hub.createSession()
  await session.prompt('ask')
  await session.feed.until('permission.requested')
  const during = await scrape()
  expect(during.get('quayside_sessions_active')).toBe(1)
  expect(during.get('quayside_turns_running')).toBe(1)
  expect(during.get('quayside_permissions_open')).toBe(1)
  expect(during.get('quayside_sockets_open')).toBe(1)
  expect(during.get('quayside_events_appended_total')).toBe(session.feed.events.length)
  expect(during.get('quayside_commit_failures_total')).toBe(0)
  if (process.platform === 'linux') {
    expect(during.get('quayside_agent_processes')).toBeGreaterThanOrEqual(1)
    expect(during.get('quayside_agent_memory_bytes')).toBeGreaterThan(1e6)
  }
  const created = '{method="POST",route="/api/sessions",status="2xx"}'
  expect(during.get(`quayside_http_requests_total${created}`)).toBe(1)

  await hub.fetch(session.path, { method: 'DELETE' })
  const after = await scrape()
  expect(after.get('quayside_sessions_active')).toBe(0)
  expect(after.get('quayside_permissions_open')).toBe(0)
})

test('a stranger gets no numbers', async () => {
  await using hub = await startTestHub()
  expect((await fetch(`${hub.hub.address}/metrics`)).status).toBe(401)
})
