// Tags the processes of people's terminals, so that sweeps and the watchdog spare them and closing a terminal finds them.
import type { Log } from '../../log.js'
import type { TerminalProcesses } from './people-terminals.js'
import { LEFTOVER_GRACE_MS, logLeft, sweep } from '../../process/process-sweep.js'
import { NO_OWNER, OWNER_VARIABLE } from '../../process/process-tag.js'
import { ProcessTree } from '../../process/process-tree.js'

export function terminalProcesses(log: Log): TerminalProcesses {
  return {
    hostEnv: { [OWNER_VARIABLE]: NO_OWNER },
    programEnv: (terminalId) => ({ [OWNER_VARIABLE]: ownerOf(terminalId) }),
    async endAll(terminalId) {
      const tree = new ProcessTree(({ owner }) => owner === ownerOf(terminalId))
      logLeft(await sweep(() => tree.find(), { termGraceMs: LEFTOVER_GRACE_MS }), log)
    },
  }
}

/** Differs from agents' tags, which begin with the id of a hub. */
function ownerOf(terminalId: string): string {
  return `terminal:${terminalId}`
}
