// Terminates WebSocket clients that neither answer a ping nor receive any data.
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const PING_MS = 20_000

export function keepAlive(client: WebSocket, socket: Duplex): void {
  let isAlive = true
  let drained = 0
  const ping = setInterval(() => {
    // A slow client's pong is late, because the ping is queued behind the data, but it still drains data.
    const drainedNow = bytesDrained(socket)
    if (!isAlive && drainedNow === drained) {
      client.terminate()
      return
    }
    isAlive = false
    drained = drainedNow
    client.ping()
  }, PING_MS)
  const markAlive = (): void => {
    isAlive = true
  }
  client.on('pong', markAlive)
  client.on('message', markAlive)
  client.once('close', () => clearInterval(ping))
}

function bytesDrained(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesWritten - socket.writableLength : 0
}
