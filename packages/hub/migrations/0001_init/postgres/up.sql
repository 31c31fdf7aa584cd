-- The tables of the hub in PostgreSQL: what SQLite has after its migrations 0001 to 0009, and the owners of sessions.
-- Names are those of SQLite and of prisma/schema.prisma. Times are milliseconds since 1970, except of leases, which follow the clock of the database.
-- Ids and paths are compared by their bytes, as SQLite does.

-- One start of a hub. A hub that is dead never comes back: its next start is a new row.
CREATE TABLE "Hub" (
  "id" text COLLATE "C" PRIMARY KEY,
  -- The data directory: a start with the same one knows that the earlier ones are over.
  "machineId" text NOT NULL,
  "name" text NOT NULL,
  "version" text NOT NULL,
  "startedAt" bigint NOT NULL,
  "leaseUntil" timestamptz,
  "dead" boolean NOT NULL DEFAULT false
);

CREATE TABLE "Repo" (
  "id" text COLLATE "C" PRIMARY KEY,
  -- Paths are those of one machine.
  "volume" text COLLATE "C" NOT NULL,
  "path" text COLLATE "C" NOT NULL,
  "name" text NOT NULL,
  "createdAt" bigint NOT NULL,
  "lastSeenAt" bigint NOT NULL,
  "missing" boolean NOT NULL DEFAULT false,
  "trustedHash" text,
  "settings" text,
  UNIQUE ("volume", "path")
);

-- A batch of events is stored only by the owner, at its epoch, after the last event that it knows. Each change of the owner raises the epoch.
-- The columns that most commits change are in no index, and half of each page is free for them.
CREATE TABLE "AgentSession" (
  "id" text COLLATE "C" PRIMARY KEY,
  "repoId" text COLLATE "C" NOT NULL REFERENCES "Repo" ("id"),
  "extensionId" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'completed', 'cancelled', 'error')),
  "title" text,
  "metadata" text NOT NULL DEFAULT '{}',
  "settings" text NOT NULL DEFAULT '{}',
  "acpSessionId" text,
  "lastSeq" integer NOT NULL DEFAULT 0,
  "createdAt" bigint NOT NULL,
  "updatedAt" bigint NOT NULL,
  "endedAt" bigint,
  "pinned" boolean NOT NULL DEFAULT false,
  "archived" boolean NOT NULL DEFAULT false,
  "turnCount" integer NOT NULL DEFAULT 0,
  "messageCount" integer NOT NULL DEFAULT 0,
  "snapshot" text,
  "number" integer GENERATED ALWAYS AS IDENTITY UNIQUE,
  "workspace" text,
  -- It has ended and is being removed, in steps.
  "removing" boolean NOT NULL DEFAULT false,
  "owner" text COLLATE "C",
  "epoch" integer NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
CREATE INDEX "AgentSession_archived_createdAt_id_idx" ON "AgentSession" ("archived", "createdAt", "id");
CREATE INDEX "AgentSession_status_archived_createdAt_id_idx"
  ON "AgentSession" ("status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_repoId_status_archived_createdAt_id_idx"
  ON "AgentSession" ("repoId", "status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_extensionId_status_archived_createdAt_id_idx"
  ON "AgentSession" ("extensionId", "status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_repoId_extensionId_status_archived_idx"
  ON "AgentSession" ("repoId", "extensionId", "status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_owner_idx" ON "AgentSession" ("owner") WHERE "owner" IS NOT NULL;

-- Without a foreign key: the statement that inserts holds the session's row. "epoch" names the owner that wrote it.
CREATE TABLE "AgentEvent" (
  "sessionId" text COLLATE "C" NOT NULL,
  "seq" integer NOT NULL CHECK ("seq" > 0),
  "epoch" integer NOT NULL,
  "at" bigint NOT NULL,
  "type" text NOT NULL,
  "data" text NOT NULL,
  PRIMARY KEY ("sessionId", "seq")
);

CREATE TABLE "AgentMessage" (
  "id" text COLLATE "C" PRIMARY KEY,
  "sessionId" text COLLATE "C" NOT NULL,
  "itemId" text COLLATE "C" NOT NULL,
  "turnId" text COLLATE "C",
  "role" text NOT NULL CHECK ("role" IN ('user', 'agent', 'system')),
  "content" text NOT NULL,
  "partial" boolean NOT NULL DEFAULT false,
  "seq" integer NOT NULL CHECK ("seq" > 0),
  "updatedSeq" integer NOT NULL CHECK ("updatedSeq" >= "seq"),
  "timestamp" bigint NOT NULL,
  "updatedAt" bigint NOT NULL,
  UNIQUE ("sessionId", "itemId")
);
CREATE INDEX "AgentMessage_sessionId_seq_idx" ON "AgentMessage" ("sessionId", "seq");
-- One turn has one prompt, however often a client repeats it.
CREATE UNIQUE INDEX "AgentMessage_sessionId_turnId_user_key" ON "AgentMessage" ("sessionId", "turnId") WHERE "role" = 'user';

CREATE TABLE "AgentCheckpoint" (
  "sessionId" text COLLATE "C" NOT NULL,
  "seq" integer NOT NULL CHECK ("seq" > 0),
  "steps" integer NOT NULL CHECK ("steps" >= 0),
  "state" text NOT NULL,
  PRIMARY KEY ("sessionId", "seq")
);
CREATE INDEX "AgentCheckpoint_sessionId_steps_idx" ON "AgentCheckpoint" ("sessionId", "steps");

CREATE TABLE "Media" (
  "id" text COLLATE "C" PRIMARY KEY,
  "sessionId" text COLLATE "C",
  "sha256" text COLLATE "C" NOT NULL,
  "mimeType" text NOT NULL,
  "byteLength" integer NOT NULL CHECK ("byteLength" >= 0),
  "createdAt" bigint NOT NULL,
  -- The order of pages.
  "number" bigint GENERATED ALWAYS AS IDENTITY UNIQUE
);
CREATE INDEX "Media_sessionId_idx" ON "Media" ("sessionId");
CREATE INDEX "Media_sha256_idx" ON "Media" ("sha256");

CREATE TABLE "Credential" (
  "id" text COLLATE "C" PRIMARY KEY,
  "kind" text NOT NULL CHECK ("kind" IN ('cookie', 'token')),
  "name" text NOT NULL,
  "hash" text COLLATE "C" NOT NULL UNIQUE,
  "scope" text NOT NULL,
  "createdAt" bigint NOT NULL,
  "lastUsedAt" bigint,
  "expiresAt" bigint,
  "pushSubscription" text
);

-- Titles ("seq" is 0) and texts that wait for the search index. A text may be queued again while it is indexed.
CREATE TABLE "SearchQueue" (
  "id" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "sessionId" text COLLATE "C" NOT NULL,
  "seq" integer NOT NULL
);

-- The words of titles ("seq" is 0) and texts. "version" is the last event of the text: an older text never replaces a newer one.
CREATE TABLE "SessionSearch" (
  "number" integer NOT NULL,
  "seq" integer NOT NULL,
  "version" integer NOT NULL,
  "words" tsvector NOT NULL,
  PRIMARY KEY ("number", "seq")
);
CREATE INDEX "SessionSearch_words_idx" ON "SessionSearch" USING gin ("words");

-- Ends a statement that found fewer sessions of this hub than it has batches: it stores nothing.
CREATE FUNCTION "requireAll" ("owned" bigint, "wanted" bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF "owned" <> "wanted" THEN
    RAISE EXCEPTION 'a session has another owner or another last event' USING ERRCODE = 'QS001';
  END IF;
  RETURN true;
END $$;

-- Faster than the default, where the server has it.
DO $$
BEGIN
  ALTER TABLE "AgentEvent" ALTER COLUMN "data" SET COMPRESSION lz4;
  ALTER TABLE "AgentMessage" ALTER COLUMN "content" SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;
