// The store on one SQLite connection. Every answer is there when the call returns.
import type { Store } from '../store.js'
import { CheckpointRows } from './checkpoint-rows.js'
import { CredentialRows } from './credential-rows.js'
import type { Database } from './database.js'
import { EventRows } from './event-rows.js'
import { MediaRows } from './media-rows.js'
import { RepoRows } from './repo-rows.js'
import { SearchIndex } from './search/search-index.js'
import { SearchRows } from './search/search-rows.js'
import { SessionRows } from './session-rows.js'
import { UpkeepRows } from './upkeep-rows.js'

export function sqliteStore(db: Database) {
  const searchIndex = new SearchIndex(db)
  return {
    events: new EventRows(db, searchIndex),
    checkpoints: new CheckpointRows(db),
    sessions: new SessionRows(db),
    search: new SearchRows(db, searchIndex),
    upkeep: new UpkeepRows(db),
    repos: new RepoRows(db),
    credentials: new CredentialRows(db),
    media: new MediaRows(db),
  } satisfies Store
}
