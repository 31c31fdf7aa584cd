// A folder of extensions that a test fills.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { Extensions } from '../src/agents/extensions/extensions.js'

export class ExtensionsFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'quayside-extensions-'))

  /** Writes text as it is, and other values as JSON. */
  write(file: string, content: unknown): this {
    const path = join(this.path, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return this
  }

  remove(file: string): void {
    rmSync(join(this.path, file))
  }

  /** Writes extensions.json with one entry for each id, in a folder of that name. */
  register(...ids: string[]): this {
    const entries = ids.map((id) => ({ id, name: id, type: 'acp', path: id, enabled: true }))
    return this.write('extensions.json', { extensions: entries })
  }

  load(): Extensions {
    return new Extensions([this.path], pino({ level: 'silent' }))
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

export function manifest(id: string, more: Readonly<Record<string, unknown>> = {}): unknown {
  return { id, name: `Agent ${id}`, type: 'acp', agent: { command: 'node' }, ...more }
}
