// All ports of one database. `sqlite/` implements them; another engine is another folder beside it.
import type { CheckpointStore } from './checkpoint-store.js'
import type { ClusterStore } from './cluster-store.js'
import type { CredentialStore } from './credential-store.js'
import type { EventStore } from './event-store.js'
import type { MediaIndex } from './media-index.js'
import type { RepoStore } from './repo-store.js'
import type { SearchStore } from './search-store.js'
import type { SessionStore } from './session-store.js'
import type { SharedStore } from './shared-store.js'
import type { UpkeepStore } from './upkeep-store.js'

export type Store = {
  readonly events: EventStore
  readonly checkpoints: CheckpointStore
  readonly sessions: SessionStore
  readonly search: SearchStore
  readonly upkeep: UpkeepStore
  readonly repos: RepoStore
  readonly credentials: CredentialStore
  readonly media: MediaIndex
  /** Undefined for an engine that has one hub. */
  readonly shared?: SharedStore
  /** The same. */
  readonly cluster?: ClusterStore
}
