// A client of a session or of a relay: waits for frames, counts events, and rejects the wait on a gap.

const HUB_END = '"turn.ended"'
const RELAY_END = '"stopReason"'

export class Follower {
  onText = () => {}
  /** Whole frames, for checks after the measurement. */
  kept
  bytes = 0
  #socket
  #lastSeq
  #waiting

  /** `after` is the number of the last known event; without it, frames are lines of an agent. */
  constructor(socket, after) {
    this.#socket = socket
    this.#lastSeq = after
    socket.onMessage = (data) => this.#receive(data)
    socket.onClose = () => this.#waiting?.reject(new Error('the connection closed'))
  }

  /** Resolves when this client has received the end of the running turn. */
  turnEnded() {
    const end = this.#lastSeq === undefined ? RELAY_END : HUB_END
    return this.until((data) => data.includes(end))
  }

  firstFrame() {
    return this.until(() => true)
  }

  hasReached(seq) {
    return this.#lastSeq >= seq
  }

  reaches(seq) {
    return this.until(() => this.#lastSeq >= seq)
  }

  until(matches) {
    return new Promise((resolve, reject) => {
      this.#waiting = { matches, resolve, reject }
    })
  }

  send(message) {
    this.#socket.send(JSON.stringify(message))
  }

  pause() {
    this.#socket.pause()
  }

  close() {
    this.#waiting = undefined
    this.#socket.close()
  }

  #receive(data) {
    this.bytes += data.length
    // A copy: the frame is a view of what the network delivers next.
    this.kept?.push(Buffer.from(data))
    this.onText(data)
    if (this.#lastSeq !== undefined && !this.#count(data)) return
    if (!this.#waiting?.matches(data)) return
    const { resolve } = this.#waiting
    this.#waiting = undefined
    resolve()
  }

  /** False for messages other than a page of events. */
  #count(data) {
    if (!data.subarray(0, 50).includes('session/events')) return false
    const first = seqAt(data, data.indexOf('"seq":'))
    if (first !== this.#lastSeq + 1) {
      this.#waiting?.reject(new Error(`event ${this.#lastSeq + 1} is missing`))
      return false
    }
    this.#lastSeq = seqAt(data, data.lastIndexOf('"seq":'))
    return true
  }
}

function seqAt(data, at) {
  return Number.parseInt(data.toString('latin1', at + 6, at + 20), 10)
}
