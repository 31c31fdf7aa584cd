// The speed of lists, filters, details and search at 100,000 sessions and 1,000,000 messages, over HTTP with a sign-in,
// compared with bare SQL on the same file and with a hub with 100 sessions, in one run.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { repoWord } from '../../../packages/hub/dist/store/sqlite/search/search-index.js'
import { ListHub } from './lists-client.mjs'
import { COMMON_WORD, fillDataDirectory, RARE_WORD } from './lists-data.mjs'
import { median, percentile, round } from '../../load/numbers.mjs'

export const sizes = {
  full: { big: 100_000, small: 100, starts: 5, warmUp: 20, requests: 100 },
  smoke: { big: 200, small: 100, starts: 1, warmUp: 1, requests: 2 },
}

/** The target: three times bare SQL and two milliseconds for HTTP. */
const allowed = (sqlMs) => 3 * sqlMs + 2

const PAGE = 'SELECT * FROM AgentSession'
const NEWEST = 'ORDER BY createdAt DESC LIMIT 20'
const MESSAGES = 'SELECT * FROM AgentMessage WHERE sessionId = ? ORDER BY timestamp, seq, id'
const FOUND = 'FROM SessionSearch WHERE SessionSearch MATCH ?'
const SEARCH = [
  `SELECT AgentSession.*, content FROM (
     SELECT rowid >> 32 AS number, rowid & 4294967295 AS place ${FOUND} ORDER BY rowid DESC LIMIT 50
   ) JOIN AgentSession USING (number)
   LEFT JOIN AgentMessage ON sessionId = AgentSession.id AND seq = place`,
  `SELECT count(*) FROM (SELECT DISTINCT rowid >> 32 ${FOUND} LIMIT 1001)`,
]

/** Each request, and the minimal SQL for the same result. */
export const SCENARIOS = {
  'first page': {
    path: () => '',
    sql: [`${PAGE} ${NEWEST}`, 'SELECT count(*) FROM AgentSession'],
    values: () => [[], []],
  },
  'page in the middle, cursor': {
    path: ({ place }) => `?cursor=${place.cursor}`,
    sql: [`${PAGE} WHERE createdAt < ? ${NEWEST}`, 'SELECT count(*) FROM AgentSession'],
    values: ({ place }) => [[place.createdAt], []],
  },
  'page in the middle, offset': {
    path: ({ place }) => `?offset=${place.offset}`,
    sql: [`${PAGE} ${NEWEST} OFFSET ?`, 'SELECT count(*) FROM AgentSession'],
    values: ({ place }) => [[place.offset], []],
  },
  'by repository': {
    path: ({ repo }) => `?repoId=${repo}`,
    sql: [
      `${PAGE} WHERE repoId = ? ${NEWEST}`,
      'SELECT count(*) FROM AgentSession WHERE repoId = ?',
    ],
    values: ({ repo }) => [[repo], [repo]],
  },
  'by status': {
    path: () => '?status=error',
    sql: [
      `${PAGE} WHERE status = ? ${NEWEST}`,
      'SELECT count(*) FROM AgentSession WHERE status = ?',
    ],
    values: () => [['error'], ['error']],
  },
  'search, common word': {
    path: () => `?q=${COMMON_WORD}`,
    sql: SEARCH,
    values: () => [[COMMON_WORD], [COMMON_WORD]],
  },
  'search, common word in a repository': {
    path: ({ repo }) => `?q=${COMMON_WORD}&repoId=${repo}`,
    sql: SEARCH,
    values: ({ repo }) => {
      const match = `"${repoWord(repo)}" AND ${COMMON_WORD}`
      return [[match], [match]]
    },
  },
  'search, rare word': {
    path: () => `?q=${RARE_WORD}`,
    sql: SEARCH,
    values: () => [[RARE_WORD], [RARE_WORD]],
  },
  'search, beginning of a word': {
    path: () => `?q=${RARE_WORD.slice(0, 6)}`,
    sql: SEARCH,
    values: () => [[`${RARE_WORD.slice(0, 6)}*`], [`${RARE_WORD.slice(0, 6)}*`]],
  },
  'one session, its messages': {
    path: ({ session }) => `/${session}/messages`,
    sql: [MESSAGES],
    values: ({ session }) => [[session]],
  },
  'one session, all of it': {
    path: ({ session }) => `/${session}`,
    sql: [`${PAGE} WHERE id = ?`, MESSAGES],
    values: ({ session }) => [[session], [session]],
  },
}

export async function measure({ rounds, size, note }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quayside-bench-lists-')))
  const hubs = []
  try {
    note(`writing ${size.big} sessions`)
    const starts = {}
    for (const [name, sessions] of Object.entries({ big: size.big, small: size.small })) {
      fillDataDirectory(join(folder, name, 'data'), sessions)
      mkdirSync(join(folder, name, 'workspace'))
      note(`starting the hub with ${sessions} sessions`)
      starts[name] = await measureStarts(join(folder, name), size.starts)
      hubs.push(await ListHub.start(join(folder, name), sessions))
    }
    const [big, small] = hubs
    const rows = await measureAll({ big, small, rounds, size, note })
    const title = `${size.big} sessions, ${size.big * 10} messages, HTTP with sign-in, ms`
    const tables = [
      { title, rows },
      { title: 'Start of the hub, ms until it listens', rows: startRows(starts) },
    ]
    return { tables, figures: figuresOf(rows) }
  } finally {
    for (const hub of hubs) await hub.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function figuresOf(rows) {
  const worst = (isOne) =>
    Math.max(...rows.filter(({ what }) => isOne(what)).map((row) => row['p50 of target']))
  const isSearch = (what) => what.startsWith('search')
  return { searchP50: worst(isSearch), listP50: worst((what) => !isSearch(what)) }
}

async function measureStarts(folder, starts) {
  const times = []
  for (let round = 0; round <= starts; round += 1) {
    const hub = await ListHub.start(folder, 0)
    times.push(hub.startMs)
    await hub.stop()
  }
  const [first, ...later] = times
  return { first, later: median(later) }
}

function startRows({ big, small }) {
  return [
    row('first start: migrates and indexes', big.first, small.first),
    row('later starts', big.later, small.later),
  ]
  function row(what, bigMs, smallMs) {
    return { what, big: round(bigMs), small: round(smallMs), '× small': round(bigMs / smallMs) }
  }
}

async function measureAll({ big, small, rounds, size, note }) {
  const bare = new BareSql(big.folder)
  const samples = Object.keys(SCENARIOS).map((name) => ({ name, sql: [], big: [], small: [] }))
  const wishes = { big: await big.wishes(), small: await small.wishes() }
  for (let round = 0; round < rounds; round += 1)
    for (const sample of samples) {
      note(`round ${round + 1} of ${rounds}, ${sample.name}`)
      const scenario = SCENARIOS[sample.name]
      sample.sql.push(...bare.measure(scenario, wishes.big, size))
      sample.big.push(...(await big.measure(scenario, wishes.big, size)))
      sample.small.push(...(await small.measure(scenario, wishes.small, size)))
    }
  bare.close()
  return samples.map(summarize)
}

function summarize({ name, sql, big, small }) {
  const p50 = { sql: median(sql), big: median(big), small: median(small) }
  const p99 = { sql: percentile(sql, 0.99), big: percentile(big, 0.99) }
  return {
    what: name,
    'SQL p50': round(p50.sql),
    'SQL p99': round(p99.sql),
    'hub p50': round(p50.big),
    'hub p99': round(p99.big),
    'small hub p50': round(p50.small),
    'small hub p99': round(percentile(small, 0.99)),
    'p50 × small': round(p50.big / p50.small),
    'p50 of target': round(p50.big / allowed(p50.sql)),
    'p99 of target': round(p99.big / allowed(p99.sql)),
  }
}

class BareSql {
  #db

  constructor(folder) {
    this.#db = new DatabaseSync(join(folder, 'data/quayside.db'))
    this.#db.exec('PRAGMA cache_size = -16384')
  }

  measure({ sql, values }, wishes, { warmUp, requests }) {
    const statements = sql.map((text) => this.#db.prepare(text))
    const run = (index) => {
      const all = values(wishes[index % wishes.length])
      for (const [place, statement] of statements.entries()) statement.all(...all[place])
    }
    for (let index = 0; index < warmUp; index += 1) run(index)
    return Array.from({ length: requests }, (_, index) => {
      const start = performance.now()
      run(index)
      return performance.now() - start
    })
  }

  close() {
    this.#db.close()
  }
}
