// A child process that speaks the protocol of usage.mjs, and its end.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export class Child {
  #child
  #lines
  /** The facts that it printed when it was ready, with the milliseconds until then. */
  ready

  static async start(args, env = {}) {
    const child = new Child()
    const start = performance.now()
    child.#child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    })
    child.#lines = createInterface({ input: child.#child.stdout })[Symbol.asyncIterator]()
    const facts = await child.#next()
    child.ready = { ...facts, ms: performance.now() - start }
    return child
  }

  get pid() {
    return this.#child.pid
  }

  /** CPU time, memory, and the longest block of the event loop since the last call. */
  usage() {
    this.#child.stdin.write('?')
    return this.#next()
  }

  stop() {
    return this.#end(() => this.#child.stdin.end())
  }

  kill() {
    return this.#end(() => this.#child.kill('SIGKILL'))
  }

  async #end(end) {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = new Promise((resolve) => {
      this.#child.once('exit', resolve)
    })
    end()
    await exit
  }

  async #next() {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('the measured process ended')
    return JSON.parse(value)
  }
}
