// The instant of a kill: after some time, or when the hub has written or removed some files of a work tree.
import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { KillableHub } from '../killable-hub.js'
import type { Dice } from '../plan.js'
import { MANY } from './edits.js'

const MAX_MS = 800
const MAX_CHANGES = 15

export function scheduleKill(hub: KillableHub, dice: Dice, path: string): Disposable {
  if (dice.chance(0.3)) {
    const timer = setTimeout(() => hub.kill(), dice.between(0, MAX_MS))
    return { [Symbol.dispose]: () => clearTimeout(timer) }
  }
  let left = dice.between(1, MAX_CHANGES)
  const many = join(path, MANY)
  const watcher = watch(existsSync(many) ? many : path, () => {
    left -= 1
    if (left === 0) hub.kill()
  })
  // A folder that is removed ends the watch.
  watcher.on('error', () => hub.kill())
  return { [Symbol.dispose]: () => watcher.close() }
}
