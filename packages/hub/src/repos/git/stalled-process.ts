// Finds a process that waits for something which never comes, such as the other end of a pipe: none of its threads is scheduled any more.
// A process that only waits for a slow disk or for the processor is scheduled again and again. On Linux only.
import { readdirSync, readFileSync } from 'node:fs'

const FIRST_LOOK_MS = 3_000
const LOOK_MS = 1_000
/** A reader that is late with its output may hold a process up for one look. */
const IDLE_LOOKS = 2

/** Calls `onStalled` once, unless it is disposed before. */
export function watchProcess(pid: number | undefined, onStalled: () => void): Disposable {
  let last: number | undefined
  let idleLooks = 0
  const look = (): void => {
    const switches = pid === undefined ? undefined : countSwitches(pid)
    if (switches === undefined) return
    idleLooks = switches === last ? idleLooks + 1 : 0
    last = switches
    if (idleLooks >= IDLE_LOOKS) onStalled()
    else timer = setTimeout(look, LOOK_MS)
  }
  let timer = setTimeout(look, FIRST_LOOK_MS)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** The number of times that threads of the process were scheduled. Undefined when it has ended, and on other platforms. */
function countSwitches(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const counts = threads.flatMap((thread) => {
      const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
      return [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].map(([, count]) => Number(count))
    })
    return counts.reduce((sum, count) => sum + count, 0)
  } catch {
    return undefined
  }
}
