// Finds WebSocket clients that are gone without a word: no answer to a ping, and nothing taken of what is sent.
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const PING_MS = 20_000

export function keepAlive(client: WebSocket, socket: Duplex): void {
  let isAlive = true
  let taken = 0
  const ping = setInterval(() => {
    // Whoever is slow answers late, because the ping waits behind the rest, but takes something.
    const takenNow = bytesTaken(socket)
    if (!isAlive && takenNow === taken) {
      client.terminate()
      return
    }
    isAlive = false
    taken = takenNow
    client.ping()
  }, PING_MS)
  const hear = (): void => {
    isAlive = true
  }
  client.on('pong', hear)
  client.on('message', hear)
  client.once('close', () => clearInterval(ping))
}

function bytesTaken(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesWritten - socket.writableLength : 0
}
