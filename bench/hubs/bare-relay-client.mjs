// The bare relay in a separate process, with the same clients as a hub.
import { fileURLToPath } from 'node:url'
import { BareSocket } from './bare-socket.mjs'
import { Child } from './child.mjs'
import { Follower } from './follower.mjs'

const RELAY = fileURLToPath(new URL('../floors/bare-relay.mjs', import.meta.url))

export class BareRelay {
  child
  #newest

  static async start(frames = 'line') {
    const relay = new BareRelay()
    relay.child = await Child.start([RELAY, frames])
    return relay
  }

  async follow() {
    this.#newest = await BareSocket.open(`${this.child.ready.address}/`)
    return new Follower(this.#newest)
  }

  /** The newest follower sends the prompt. */
  prompt(text) {
    this.#newest.send(text)
  }

  usage() {
    return this.child.usage()
  }

  stop() {
    return this.child.stop()
  }
}
