// Hubs on PostgreSQL: one beside a hub on SQLite in the same round, followers at another hub than the agent's, three hubs with many
// sessions, and lists.
import { BenchDatabase } from '../../hubs/bench-database.mjs'
import { medianRows } from '../../load/numbers.mjs'
import { startHubs, stopHubs } from './cluster.mjs'
import { measureElsewhere } from './elsewhere.mjs'
import { measureEngines } from './engines.mjs'
import { measureLists } from './engine-lists.mjs'
import { measureThree } from './three.mjs'

export const sizes = {
  full: { drips: 300, sessions: 50, seconds: 10, listed: 20_000, warmUp: 10, requests: 50 },
  smoke: { drips: 5, sessions: 1, seconds: 1, listed: 60, warmUp: 1, requests: 2 },
}

const TABLES = ['floods', 'drips', 'elsewhere', 'three']

export async function measure({ rounds, count, size, note }) {
  const database = await BenchDatabase.start()
  try {
    const seen = []
    for (let round = 0; round < rounds; round += 1) {
      note(`round ${round + 1} of ${rounds}, engines`)
      const engines = await measureEngines({ database, count, size, round })
      note(`round ${round + 1} of ${rounds}, three hubs`)
      seen.push({ ...engines, ...(await measureCluster({ database, count, size })) })
    }
    const of = (name) => [name, medianRows(seen.map((parts) => parts[name]))]
    const lists = await measureLists({ database, size, rounds, note })
    return toResult({ ...Object.fromEntries(TABLES.map(of)), lists }, size, count)
  } finally {
    await database.stop()
  }
}

async function measureCluster({ database, count, size }) {
  const hubs = await startHubs(database)
  try {
    const elsewhere = await measureElsewhere({ hubs, count, size })
    return { ...elsewhere, ...(await measureThree({ hubs, size })) }
  } finally {
    await stopHubs(hubs)
  }
}

function toResult({ floods, drips, elsewhere, three, lists }, { sessions, listed }, count) {
  const row = (rows, what) => rows.find((one) => one.what === what)
  const [text, mixed] = ['text', 'mixed'].map((load) => row(floods, `${load}, PostgreSQL`))
  const worst = (isOne) =>
    Math.max(...lists.filter(({ what }) => isOne(what)).map((one) => one['× SQLite']))
  const isSearch = (what) => what.startsWith('search')
  return {
    tables: [
      { title: `${count} updates to one follower`, rows: floods },
      { title: 'One update every 10 ms, ms from the agent to the client', rows: drips },
      {
        title: 'A follower at another hub, ms behind one at the hub of the agent',
        rows: elsewhere,
      },
      {
        title: `3 hubs × ${sessions} sessions × 20 updates a second, ms from the agent to the client`,
        rows: three,
      },
      { title: `Lists and search at ${listed} sessions, ms`, rows: lists },
    ],
    figures: {
      textRate: text['× SQLite'],
      mixedRate: mixed['× SQLite'],
      textCpu: text['CPU × SQLite'],
      mixedCpu: mixed['CPU × SQLite'],
      dripP50: row(drips, 'PostgreSQL').p50,
      elsewhereP50: row(elsewhere, 'alone').p50,
      elsewhereP99: row(elsewhere, 'alone').p99,
      besideP50: row(elsewhere, 'beside two flooding hubs').p50,
      besideP99: row(elsewhere, 'beside two flooding hubs').p99,
      lost: three[0].lost + three[1].lost,
      threeP99: Math.max(...three.map(({ p99 }) => p99)),
      lists: worst((what) => !isSearch(what)),
      search: worst(isSearch),
    },
  }
}
