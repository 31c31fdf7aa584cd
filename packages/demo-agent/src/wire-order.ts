// Passes the client's messages to the SDK in the order in which they were written.
import { setImmediate } from 'node:timers/promises'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'

/**
 * SDK 2.4.0 resolves a response at once, but passes a request or notification through its handlers, one
 * tick each. So the permission answer written after a `session/cancel` would overtake it, and the cancel
 * could overtake the prompt before it. Each message therefore waits until the previous one is handled.
 */
export function inWireOrder({ readable, writable }: Stream): Stream {
  const oneByOne = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      controller.enqueue(message)
      await setImmediate()
    },
  })
  return { writable, readable: readable.pipeThrough(oneByOne) }
}
