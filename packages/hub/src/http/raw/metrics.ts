// GET /metrics: the hub's numbers as Prometheus text (exposition format 0.0.4). Values are read at each request.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { replaceNames, type Route, ROUTES } from '@quayside/protocol/schemas'
import type { RequestHandler, Response } from 'express'

/** The hub's current numbers, and its counters since it started. */
export type Readings = {
  readonly activeSessions: number
  readonly runningTurns: number
  readonly openPermissions: number
  readonly openQuestions: number
  /** ACP clients' included. */
  readonly sockets: number
  /** By WebSocket or HTTP. */
  readonly acpClients: number
  readonly eventsAppended: number
  readonly commitFailures: number
  /** Agents with everything they started; absent where the platform does not tell. */
  readonly agents?: { readonly processes: number; readonly rssBytes: number } | undefined
}

type Labels = Readonly<Record<string, string>>
type Metric = {
  readonly name: string
  readonly type: 'gauge' | 'counter'
  readonly help: string
  readonly samples: readonly (readonly [value: number, labels?: Labels])[]
}

const DELAY_RESOLUTION_MS = 20
/** Everything that is no route of the API: pages, and addresses that do not exist. */
const OTHER = 'other'

export class Metrics {
  readonly #version: string
  readonly #read: () => Readings
  readonly #requests = new Map<string, { readonly labels: Labels; count: number }>()
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS })

  constructor(version: string, read: () => Readings) {
    this.#version = version
    this.#read = read
  }

  countRequest(method: string, path: string, status: number): void {
    const labels = {
      method: KNOWN_METHODS.has(method) ? method : OTHER,
      route: findRoute(method, path),
      status: `${Math.floor(status / 100)}xx`,
    }
    const key = Object.values(labels).join(' ')
    const known = this.#requests.get(key)
    if (known) known.count += 1
    else this.#requests.set(key, { labels, count: 1 })
  }

  toText(): string {
    return exposition([...this.#hubMetrics(), ...processMetrics(), this.#delayMetric()])
  }

  #hubMetrics(): Metric[] {
    const now = this.#read()
    const requests = [...this.#requests.values()]
    return [
      {
        name: 'quayside_info',
        type: 'gauge',
        help: 'The version of the hub.',
        samples: [[1, { version: this.#version }]],
      },
      gauge('quayside_sessions_active', 'Sessions with a live agent.', now.activeSessions),
      gauge('quayside_turns_running', 'Turns that an agent works on.', now.runningTurns),
      gauge('quayside_permissions_open', 'Permissions that wait.', now.openPermissions),
      gauge('quayside_questions_open', 'Questions that wait.', now.openQuestions),
      gauge('quayside_sockets_open', 'WebSockets of clients.', now.sockets),
      gauge('quayside_acp_clients', 'ACP clients, by WebSocket or HTTP.', now.acpClients),
      counter('quayside_events_appended_total', 'Events committed.', now.eventsAppended),
      counter('quayside_commit_failures_total', 'Commits that failed.', now.commitFailures),
      gauge('quayside_agent_processes', 'Agents and what they started.', now.agents?.processes),
      gauge('quayside_agent_memory_bytes', 'Resident memory of these.', now.agents?.rssBytes),
      {
        name: 'quayside_http_requests_total',
        type: 'counter',
        help: 'Requests by route and class of status.',
        samples: requests.map(({ labels, count }) => [count, labels] as const),
      },
    ]
  }

  /** Since the last time somebody asked. */
  #delayMetric(): Metric {
    const delay = this.#delay
    // From the first scrape on, because its timer wakes an idle hub fifty times a second.
    delay.enable()
    const values = {
      mean: delay.mean,
      p50: delay.percentile(50),
      p99: delay.percentile(99),
      max: delay.max,
    }
    delay.reset()
    return {
      name: 'quayside_event_loop_delay_seconds',
      type: 'gauge',
      help: 'How late the event loop was since the last scrape.',
      samples: Object.entries(values).map(
        ([stat, ns]) => [beyondResolution(ns), { stat }] as const,
      ),
    }
  }
}

/** Put first, so that what the gates refuse is counted too. */
export function countRequests(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request
    response.once('close', () => metrics.countRequest(method, path, response.statusCode))
    next()
  }
}

export function sendMetrics(metrics: Metrics, response: Response): void {
  response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  response.send(metrics.toText())
}

/** The names that Prometheus' own client libraries use. */
function processMetrics(): Metric[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const startedAt = Date.now() / 1000 - process.uptime()
  return [
    gauge('quayside_uptime_seconds', 'Since the start of the process.', process.uptime()),
    gauge('process_start_time_seconds', 'Start, in seconds since 1970.', startedAt),
    counter('process_cpu_seconds_total', 'CPU time used.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Memory of the hub.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap taken from the system.', heapTotal),
  ]
}

function gauge(name: string, help: string, value: number | undefined): Metric {
  return { name, type: 'gauge', help, samples: value === undefined ? [] : [[value]] }
}

function counter(name: string, help: string, value: number): Metric {
  return { name, type: 'counter', help, samples: [[value]] }
}

function exposition(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, type, help, samples }) => {
      const lines = samples.map(([value, labels]) => `${name}${toLabels(labels)} ${value}\n`)
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function toLabels(labels: Labels | undefined): string {
  if (labels === undefined) return ''
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return `{${pairs.join(',')}}`
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}

/** The monitor's own timer is part of what it measures. */
function beyondResolution(ns: number): number {
  return Number.isNaN(ns) ? 0 : Math.max(0, ns / 1e9 - DELAY_RESOLUTION_MS / 1000)
}

const KNOWN_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
])

const PATTERNS = ROUTES.map((route) => ({ route, pattern: toPattern(route) }))

/** The route's own words, never the ids in an address: a label must not grow without end. */
function findRoute(method: string, path: string): string {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
  const found = PATTERNS.find(({ route, pattern }) => route.method === wanted && pattern.test(path))
  return found?.route.path ?? OTHER
}

function toPattern({ path }: Route): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${replaceNames(literal, () => '[^/]+')}/?$`, 'i')
}
