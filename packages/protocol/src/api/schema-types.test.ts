// Checked by the compiler: the schemas and the hand-written types say the same.
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type * as protocol from '../index.js'
import type * as schemas from '../schemas.js'

type Schemas = typeof schemas
type Out<Name extends keyof Schemas> = Schemas[Name] extends z.ZodType
  ? Frozen<z.output<Schemas[Name]>>
  : never
type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value

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
  Agree<Out<'repoSchema'>, protocol.Repo>,
  Agree<Out<'extensionSchema'>, protocol.Extension>,
  Agree<Out<'extensionDetailSchema'>, protocol.ExtensionDetail>,
  Agree<Out<'sessionSummarySchema'>, protocol.SessionSummary>,
  Agree<Out<'messageContentSchema'>, protocol.MessageContent>,
  Agree<Out<'messageSchema'>, protocol.Message>,
  Agree<Out<'sessionDetailSchema'>, protocol.SessionDetail>,
  Agree<Out<'sessionListSchema'>, protocol.SessionList>,
  Agree<Out<'eventPageSchema'>, protocol.EventPage>,
  Agree<Out<'pendingPermissionSchema'>, protocol.PendingPermission>,
  Agree<Out<'pendingQuestionSchema'>, protocol.PendingQuestion>,
  Agree<Out<'queuedPromptSchema'>, protocol.QueuedPrompt>,
  Agree<Out<'mediaSchema'>, protocol.Media>,
  Agree<Out<'timelineSchema'>, protocol.Timeline>,
  Agree<Out<'promptAcceptedSchema'>, protocol.PromptAccepted>,
  Agree<Out<'terminalSchema'>, protocol.Terminal>,
  Agree<Out<'principalSchema'>, protocol.Principal>,
  Agree<Out<'tokenSchema'>, protocol.Token>,
  Agree<Out<'loginCodeSchema'>, protocol.LoginCode>,
  Agree<Out<'loginCodeStateSchema'>, protocol.LoginCodeState>,
  Agree<Out<'createdTokenSchema'>, protocol.CreatedToken>,
  Agree<Out<'repoFilesSchema'>, protocol.RepoFiles>,
  Agree<Out<'repoStatusSchema'>, protocol.RepoStatus>,
  Agree<Out<'repoDiffSchema'>, protocol.RepoDiff>,
  Agree<Out<'sessionChangesSchema'>, protocol.SessionChanges>,
  Agree<Out<'repoFileSchema'>, protocol.RepoFile>,
  Agree<Out<'wireFrameSchema'>, protocol.WireFrame>,
  Agree<Out<'errorBodySchema'>, protocol.ErrorBody>,
  Agree<Out<'transcriptEntrySchema'>, protocol.TranscriptEntry>,
]

test('every event type has a schema that agrees with its data', () => {
  type DataSchemas = Schemas['eventDataSchemas']
  expectTypeOf<keyof DataSchemas>().toEqualTypeOf<protocol.EventType>()
  expectTypeOf<Agreements['length']>().toEqualTypeOf<36>()
})
