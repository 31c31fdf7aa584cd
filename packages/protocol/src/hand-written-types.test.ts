// Checked by the compiler: the hand-written types of ACP, events and transcripts agree with their schemas.
// The types of the API need no such test: they are made from their schemas.
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type * as protocol from './index.js'
import type * as schemas from './schemas.js'
import type { Shape } from './shape.js'

type Schemas = typeof schemas
type Out<Name extends keyof Schemas> = Schemas[Name] extends z.ZodType
  ? Shape<Schemas[Name]>
  : never
/** Fails to compile unless each can stand for the other. */
type Agree<A extends B, B extends Same, Same = A> = [A, B, Same]

type Agreements = [
  Agree<Out<'contentBlockSchema'>, protocol.ContentBlock>,
  Agree<Out<'permissionOptionSchema'>, protocol.PermissionOption>,
  Agree<Out<'permissionOutcomeSchema'>, protocol.PermissionOutcome>,
  Agree<Out<'sessionModesSchema'>, protocol.SessionModes>,
  Agree<Out<'configOptionSchema'>, protocol.ConfigOption>,
  Agree<Out<'failureSchema'>, protocol.Failure>,
  Agree<Out<'sessionEventSchema'>, protocol.SessionEvent>,
  Agree<Out<'transcriptEntrySchema'>, protocol.TranscriptEntry>,
  Agree<Out<'itemSchema'>, protocol.Item>,
  Agree<Out<'sessionStateSchema'>, protocol.SessionState>,
]

test('every event type has a schema that agrees with its data', () => {
  type DataSchemas = Schemas['eventDataSchemas']
  expectTypeOf<keyof DataSchemas>().toEqualTypeOf<protocol.EventType>()
  expectTypeOf<Agreements['length']>().toEqualTypeOf<10>()
})
