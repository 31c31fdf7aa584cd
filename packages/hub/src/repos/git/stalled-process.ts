// Finds a process that waits for something which never comes, such as the other end of a pipe: all of its threads sleep, and none is
// scheduled any more. A process that only waits for a slow disk or for the processor does not sleep, or wakes again and again. On Linux only.
import { readdirSync, readFileSync } from 'node:fs'

const FIRST_LOOK_MS = 3_000
const LOOK_MS = 1_000
/** A reader that is late with its output may hold a process up for one look. */
const IDLE_LOOKS = 2
/** git that reports its progress has a timer, which wakes it once in this time whatever it waits for. */
const TIMER_MS = 1_000

type Activity = {
  readonly at: number
  /** The number of times that threads of the process were scheduled. */
  readonly switches: number
  readonly isAsleep: boolean
}

/** Calls `onStalled` once, unless it is disposed before. */
export function watchProcess(pid: number | undefined, onStalled: () => void): Disposable {
  let last: Activity | undefined
  let idleLooks = 0
  const look = (): void => {
    const now = pid === undefined ? undefined : readActivity(pid)
    if (now === undefined) return
    idleLooks = last && isIdle(last, now) ? idleLooks + 1 : 0
    last = now
    if (idleLooks >= IDLE_LOOKS) onStalled()
    else timer = setTimeout(look, LOOK_MS)
  }
  let timer = setTimeout(look, FIRST_LOOK_MS)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

function isIdle(last: Activity, { at, switches, isAsleep }: Activity): boolean {
  const byTimer = Math.ceil((at - last.at) / TIMER_MS)
  return last.isAsleep && isAsleep && switches - last.switches <= byTimer
}

/** Undefined when the process has ended, and on other platforms. */
function readActivity(pid: number): Activity | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const statuses = threads.map((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'),
    )
    const counts = statuses.flatMap((status) =>
      [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].map(([, count]) => Number(count)),
    )
    return {
      at: performance.now(),
      switches: counts.reduce((sum, count) => sum + count, 0),
      isAsleep: statuses.every((status) => /^State:\s*S/m.test(status)),
    }
  } catch {
    return undefined
  }
}
