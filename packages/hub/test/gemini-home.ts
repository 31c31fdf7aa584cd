// A private home for the real Gemini CLI: the environment that points it to the test's model, and its processes.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installGemini } from '../../../scripts/tools/agents.mjs'

/** Only Linux shows the environment of a process. */
export const CAN_FIND_PROCESSES = existsSync('/proc/self/environ')

const SETTINGS = {
  privacy: { usageStatisticsEnabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
}

export class GeminiHome implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'quayside-gemini-'))
  readonly #environmentBefore = { ...process.env }

  constructor() {
    for (const name of ['.gemini', 'tmp']) mkdirSync(join(this.folder, name))
    writeFileSync(join(this.folder, '.gemini/settings.json'), JSON.stringify(SETTINGS))
  }

  /** Sets this process's environment until the home is disposed: the hub passes it on to the agent by name. */
  async enter(modelUrl: string): Promise<void> {
    // Without a proxy between the agent and the test's model.
    for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name]
    Object.assign(process.env, {
      GEMINI_CLI_PATH: await installGemini(),
      GEMINI_CLI_HOME: this.folder,
      GEMINI_API_KEY: 'dummy',
      GEMINI_MODEL: 'gemini-2.5-flash',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      // Gemini CLI writes reports of failed requests there.
      TMPDIR: join(this.folder, 'tmp'),
    })
  }

  /** The command lines, by pid, of all processes with this home in their environment: the agent and its children. */
  processes(): Map<number, string> {
    if (!CAN_FIND_PROCESSES) return new Map()
    const mark = `GEMINI_CLI_HOME=${this.folder}\0`
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return new Map(
      pids
        .map(Number)
        .filter((pid) => pid !== process.pid && readProcess(pid, 'environ').includes(mark))
        .map((pid) => [pid, readProcess(pid, 'cmdline').replaceAll('\0', ' ')]),
    )
  }

  [Symbol.dispose](): void {
    for (const name of Object.keys(process.env))
      if (!(name in this.#environmentBefore)) delete process.env[name]
    Object.assign(process.env, this.#environmentBefore)
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Empty when the process has ended or may not be read. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
