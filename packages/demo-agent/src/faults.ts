// Protocol violations in every turn, chosen by QUAYSIDE_DEMO_FAULTS.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { textChunk, updateLine } from './raw-lines.js'
import type { Turn } from './turn.js'
import { startOrphan } from './words/ending-words.js'

const METHOD_NOT_FOUND = -32_601

/** Runs before the turn. */
export async function misbehave(turn: Turn) {
  const { settings, wire, requestId } = turn.deps
  if (settings.faults.has('junk')) await wire.write('Thinking about it ...\n')
  if (settings.faults.has('leave-child')) await startOrphan()
  if (settings.faults.has('late-update')) {
    const late = updateLine(turn, textChunk('One more thing.'))
    wire.takeResponse(requestId, (line) => wire.write(line + late))
  }
}

/** Answers `{}` to unknown methods, which the SDK would reject. */
export function answeringAnything({ readable, writable }: Stream): Stream {
  const writer = writable.getWriter()
  const lenient = new WritableStream<AnyMessage>({
    write: (message) => writer.write(soften(message)),
  })
  return { readable, writable: lenient }
}

function soften(message: AnyMessage): AnyMessage {
  if (!('error' in message) || message.error?.code !== METHOD_NOT_FOUND) return message
  return { jsonrpc: '2.0', id: message.id, result: {} }
}
