// Finds frames that violate ACP's JSON Schema, which the SDK publishes. Runs only when a client reads frames.
import { createRequire } from 'node:module'
import type { WireFrame } from '@quayside/protocol'
import { isObject, type JsonObject } from '../../json.js'
import { schemaFaults, type SchemaDefinitions } from './schema-faults.js'

/** The schemas of requests and responses, keyed by method. */
type Shapes = {
  readonly definitions: SchemaDefinitions
  readonly requests: ReadonlyMap<string, JsonObject>
  readonly responses: ReadonlyMap<string, JsonObject>
}

let shapes: Shapes | undefined

const MAX_OPEN_REQUESTS = 1_000

/** Takes the frames of a session in order, because a response is matched to its request. */
export function faultMarker(): (frame: WireFrame) => WireFrame {
  const open = new Map<string, string>()
  return (frame) => {
    if (frame.cut || !isObject(frame.frame)) return frame
    const faults = faultsOf(frame, frame.frame, open)
    return faults.length > 0 ? { ...frame, faults } : frame
  }
}

function faultsOf(
  { process, direction }: WireFrame,
  message: JsonObject,
  open: Map<string, string>,
): string[] {
  const { definitions, requests, responses } = (shapes ??= readShapes())
  const { id, method, params, result } = message
  if (typeof method === 'string') {
    const isNoted = id !== undefined && open.size < MAX_OPEN_REQUESTS
    if (isNoted) open.set(`${process} ${direction} ${JSON.stringify(id)}`, method)
    const shape = requests.get(method)
    // Extension methods begin with an underscore; a later version of ACP may have other methods.
    return shape ? schemaFaults(definitions, shape, { value: params ?? {}, path: 'params' }) : []
  }
  const other = direction === 'in' ? 'out' : 'in'
  const asking = `${process} ${other} ${JSON.stringify(id)}`
  const request = open.get(asking)
  open.delete(asking)
  const shape = request === undefined ? undefined : responses.get(request)
  if (shape === undefined || result === undefined) return []
  return schemaFaults(definitions, shape, { value: result ?? {}, path: 'result' })
}

function readShapes(): Shapes {
  const require = createRequire(import.meta.url)
  const { $defs: definitions } = require('@agentclientprotocol/sdk/schema/v1/schema.json') as {
    readonly $defs: SchemaDefinitions
  }
  const named = Object.entries(definitions).flatMap(
    ([name, part]): [string, string, JsonObject][] =>
      typeof part['x-method'] === 'string' ? [[name, part['x-method'], part]] : [],
  )
  const isAnswer = (name: string) => name.endsWith('Response')
  return {
    definitions,
    requests: new Map(
      named.flatMap(([name, method, part]) => (isAnswer(name) ? [] : [[method, part]])),
    ),
    responses: new Map(
      named.flatMap(([name, method, part]) => (isAnswer(name) ? [[method, part]] : [])),
    ),
  }
}
