// Sends bytes to a port and reads the answer, if it is one: for requests that no HTTP client would send.
import { connect } from 'node:net'

export type RawAnswer = {
  /** Undefined when the connection was closed without an answer. */
  readonly status: number | undefined
  readonly text: string
  readonly isLate: boolean
}

const MAX_READ_BYTES = 256 * 1024
/** Answers that go on for as long as the client reads. */
const ENDLESS = /^content-type: (text\/event-stream|application\/x-ndjson)|^HTTP\/1\.1 101/im

export type RawSend = {
  readonly port: number
  readonly bytes: Buffer
  readonly endsEarly: boolean
  readonly limitMs: number
}

/** Resolves with the first answer on the connection; `isLate` when there is neither an answer nor an end in time. */
export function exchange({ port, bytes, endsEarly, limitMs }: RawSend): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const parts: Buffer[] = []
    let length = 0
    const finish = (isLate: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      const text = Buffer.concat(parts).toString('utf8')
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
      resolve({
        status: status === undefined ? undefined : Number(status),
        text,
        isLate: isLate && text === '',
      })
    }
    const timer = setTimeout(() => finish(true), limitMs)
    socket.on('error', () => finish(false))
    socket.on('end', () => finish(false))
    socket.on('close', () => finish(false))
    socket.on('data', (part) => {
      parts.push(part)
      length += part.length
      const isEndless = parts.length === 1 && ENDLESS.test(part.toString('latin1'))
      if (isEndless || length > MAX_READ_BYTES) finish(false)
    })
    socket.write(bytes)
    if (endsEarly) socket.end()
  })
}
