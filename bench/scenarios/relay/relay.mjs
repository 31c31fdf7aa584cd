// The path of an update from the agent to its followers, through a whole hub with sign-in and full durability, compared with
// floors in the same round.
import { BenchHub } from '../../hubs/bench-hub.mjs'
import { medianRows } from '../../load/numbers.mjs'
import { measureDrip } from './drip.mjs'
import { floodRow, measureFloods } from './floods.mjs'
import { measureNeighbour } from './neighbour.mjs'
import { measureReplays } from './replay.mjs'
import { measureStuck } from './stuck.mjs'

export const sizes = {
  full: { drips: 300, prompts: 15, stuck: 20, replayed: 100_000, followers: [1, 10, 100] },
  smoke: { drips: 5, prompts: 2, stuck: 2, replayed: 500, followers: [1, 2] },
}

const PARTS = {
  floods: measureFloods,
  drip: measureDrip,
  neighbour: measureNeighbour,
  stuck: measureStuck,
  replay: measureReplays,
}

export async function measure({ rounds, count, size, note }) {
  const seen = []
  for (let round = 0; round < rounds; round += 1) seen.push(await measureRound(round))
  const of = (name) => medianRows(seen.map((parts) => parts[name]))
  const tables = {
    floods: { title: `${count} updates to followers`, rows: of('floods') },
    drip: { title: 'One update every 10 ms, ms from the agent to the client', rows: of('drip') },
    neighbour: { title: 'A session beside one that floods, ms', rows: of('neighbour') },
    stuck: { title: `A fast reader beside ${size.stuck} that do not read`, rows: of('stuck') },
    replay: { title: `${size.replayed} updates to a late joiner`, rows: of('replay') },
  }
  return { tables: Object.values(tables), figures: figuresOf(tables, size) }

  async function measureRound(round) {
    const hub = await BenchHub.start()
    try {
      const parts = {}
      for (const [name, part] of Object.entries(PARTS)) {
        note(`round ${round + 1} of ${rounds}, ${name}`)
        parts[name] = await part({ hub, count, size, round })
      }
      return parts
    } finally {
      await hub.stop()
    }
  }
}

function figuresOf({ floods, drip, neighbour, stuck, replay }, { followers, stuck: many }) {
  const row = (table, what) => table.rows.find((one) => one.what === what)
  const [one, ten, hundred = ten] = followers.map((number) => row(floods, floodRow('text', number)))
  const mixed = row(floods, floodRow('mixed', 1))
  const hubDrip = row(drip, 'hub')
  const beside = row(neighbour, 'while another floods')
  const besideStuck = row(stuck, 'beside them')
  return {
    text1Rate: one['× (b)'],
    text1Cpu: one['CPU × (b)'],
    text10Rate: ten['× (b)'],
    text100Rate: hundred['× (b)'],
    mixedRate: mixed['× (b)'],
    mixedCpu: mixed['CPU × (b)'],
    dripP50: hubDrip['p50 added'],
    dripP99: hubDrip['p99 added'],
    neighbourP50: beside.p50,
    neighbourP99: beside.p99,
    stuckRate: besideStuck['× alone'],
    stuckMb: besideStuck['hub RSS growth MB'] / many,
    replayFirstMs: row(replay, 'mixed')['first page ms'],
    replayRead: row(replay, 'mixed')['× read'],
    textBytes: row(replay, 'text')['bytes stored ÷ written'],
    mixedBytes: row(replay, 'mixed')['bytes stored ÷ written'],
    toolsBytes: row(replay, 'tools')['bytes stored ÷ written'],
  }
}
