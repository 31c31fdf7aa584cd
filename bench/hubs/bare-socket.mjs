// A WebSocket client that walks over frames as bytes, so that a hundred of them in one process do not slow what they measure.
// It offers no compression, and it does not check what a server may send.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

const EMPTY = Buffer.alloc(0)
const TEXT = 0x81
const PONG = 0x8a
const PING = 9
const CLOSE = 8

export class BareSocket {
  onMessage = () => {}
  onClose = () => {}
  #socket
  /** Bytes of an unfinished frame, and the length it needs at least. */
  #parts = []
  #have = 0
  #need = 2

  static async open(address, headers = {}) {
    const { hostname, port, pathname, search } = new URL(address)
    const bare = new BareSocket()
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    bare.#socket = socket
    const lines = Object.entries({
      host: `${hostname}:${port}`,
      upgrade: 'websocket',
      connection: 'Upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`)
    const rest = await upgraded(socket)
    socket.on('data', (chunk) => bare.#receive(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => bare.onClose())
    if (rest.length > 0) bare.#receive(rest)
    return bare
  }

  send(text) {
    this.#socket.write(frame(TEXT, Buffer.from(text)))
  }

  pause() {
    this.#socket.pause()
  }

  close() {
    this.#socket.destroy()
  }

  #receive(chunk) {
    this.#parts.push(chunk)
    this.#have += chunk.length
    if (this.#have < this.#need) return
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts, this.#have)
    const at = this.#walk(bytes)
    const rest = at === bytes.length ? EMPTY : bytes.subarray(at)
    this.#parts = rest.length === 0 ? [] : [rest]
    this.#have = rest.length
  }

  /** Returns the position of the first unfinished frame. */
  #walk(bytes) {
    for (let at = 0; ;) {
      const head = headAt(bytes, at)
      this.#need = head === undefined ? bytes.length - at + 1 : head.length + head.size
      if (head === undefined || at + this.#need > bytes.length) return at
      const start = at + head.length
      at = start + head.size
      this.#handle(head.opcode, bytes.subarray(start, at))
    }
  }

  #handle(opcode, payload) {
    if (opcode === PING) this.#socket.write(frame(PONG, payload))
    else if (opcode === CLOSE) this.close()
    else this.onMessage(payload)
  }
}

function headAt(bytes, at) {
  if (at + 2 > bytes.length) return undefined
  const opcode = bytes[at] & 15
  const short = bytes[at + 1] & 127
  if (short < 126) return { opcode, length: 2, size: short }
  const length = short === 126 ? 4 : 10
  if (at + length > bytes.length) return undefined
  const size = short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
  return { opcode, length, size }
}

/** A mask of zeros leaves the payload as it is. */
function frame(first, payload) {
  const short = payload.length < 126
  const head = Buffer.alloc(short ? 6 : 8)
  head[0] = first
  head[1] = 0x80 | (short ? payload.length : 126)
  if (!short) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

/** Resolves with the bytes after the response's head. */
function upgraded(socket) {
  return new Promise((resolve, reject) => {
    let seen = EMPTY
    const read = (chunk) => {
      seen = Buffer.concat([seen, chunk])
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1) return
      socket.off('data', read)
      if (seen.subarray(0, 12).toString() === 'HTTP/1.1 101') resolve(seen.subarray(end + 4))
      else reject(new Error(`no WebSocket: ${seen.toString().slice(0, 200)}`))
    }
    socket.on('data', read)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection closed before the upgrade')))
  })
}
