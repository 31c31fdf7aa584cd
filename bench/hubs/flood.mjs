// Floods and drips through a hub, as its clients see them.
import { agesIn, numbersIn } from '../load/load-lines.mjs'

/** Enough for the compiler to have finished. */
const WARM_UP = 20_000

/** The milliseconds until the last follower has received the end of the turn. The check comes after the measurement. */
export async function flood(hub, sessionId, { load = 'text', count, many = 1, isChecked = true }) {
  const after = await hub.lastSeq(sessionId)
  const followers = []
  for (let index = 0; index < many; index += 1) followers.push(await hub.follow(sessionId, after))
  if (isChecked) followers[0].kept = []
  const all = Promise.all(followers.map((follower) => follower.turnEnded()))
  const start = performance.now()
  await hub.prompt(sessionId, `${load} ${count}`)
  await all
  const ms = performance.now() - start
  if (isChecked) requireAll(followers[0].kept, count)
  for (const follower of followers) follower.close()
  return ms
}

/** Runs turns until the returned function is called. Not checked: that would slow the measurement beside it. */
export function floodOn(hub, sessionId, { load, count }) {
  const over = new AbortController()
  const flooding = (async () => {
    while (!over.signal.aborted) await flood(hub, sessionId, { load, count, isChecked: false })
  })()
  return () => {
    over.abort()
    return flooding
  }
}

/** The ages of the updates of a drip at the client, in milliseconds. */
export async function drip(hub, sessionId, prompt) {
  const follower = await hub.followEnd(sessionId)
  const ages = await agesOf(follower, () => hub.prompt(sessionId, prompt))
  follower.close()
  return ages
}

export async function agesOf(follower, prompt) {
  const ages = []
  follower.onText = (data) => ages.push(...agesIn(data.toString()))
  const end = follower.turnEnded()
  await prompt()
  await end
  if (ages.length === 0) throw new Error('no update arrived')
  return ages
}

export async function warmSession(hub, { load = 'text', count = WARM_UP } = {}) {
  const sessionId = await hub.createSession()
  await flood(hub, sessionId, { load, count: Math.min(count, WARM_UP) })
  return sessionId
}

/** Fails the measurement when updates were lost or reordered. */
export function requireAll(frames, count) {
  const { lost, reordered } = inspect(frames, count)
  if (lost > 0 || reordered > 0)
    throw new Error(`${lost} updates were lost, ${reordered} came in another order`)
}

export function inspect(frames, count) {
  // Joined: a stream of events may be cut inside of a number.
  const numbers = numbersIn(Buffer.concat(frames).toString())
  const reordered = numbers.filter((number, at) => at > 0 && number < numbers[at - 1]).length
  return { lost: count - new Set(numbers).size, reordered }
}
