-- The first shape of the hub's database. prisma/schema.prisma describes the same tables; test/store-schema.test.ts compares them.
-- Every DATETIME is an INTEGER of milliseconds since 1970: text dates of several writers do not sort together.

CREATE TABLE "Repo" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "path" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "createdAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "lastSeenAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "missing" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "Repo_createdAt_ms" CHECK (typeof("createdAt") = 'integer'),
  CONSTRAINT "Repo_lastSeenAt_ms" CHECK (typeof("lastSeenAt") = 'integer'),
  CONSTRAINT "Repo_missing_boolean" CHECK ("missing" IN (0, 1))
);
CREATE UNIQUE INDEX "Repo_path_key" ON "Repo" ("path");

CREATE TABLE "AgentSession" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "repoId" TEXT NOT NULL,
  "extensionId" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'active',
  "title" TEXT,
  "metadata" TEXT NOT NULL DEFAULT '{}',
  "settings" TEXT NOT NULL DEFAULT '{}',
  "acpSessionId" TEXT,
  "lastSeq" INTEGER NOT NULL DEFAULT 0,
  "createdAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "updatedAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "endedAt" DATETIME,
  CONSTRAINT "AgentSession_repoId_fkey" FOREIGN KEY ("repoId") REFERENCES "Repo" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "AgentSession_status_known" CHECK ("status" IN ('active', 'completed', 'cancelled', 'error')),
  CONSTRAINT "AgentSession_metadata_json" CHECK (json_valid("metadata")),
  CONSTRAINT "AgentSession_settings_json" CHECK (json_valid("settings")),
  CONSTRAINT "AgentSession_lastSeq_counts" CHECK (typeof("lastSeq") = 'integer' AND "lastSeq" >= 0),
  CONSTRAINT "AgentSession_createdAt_ms" CHECK (typeof("createdAt") = 'integer'),
  CONSTRAINT "AgentSession_updatedAt_ms" CHECK (typeof("updatedAt") = 'integer'),
  CONSTRAINT "AgentSession_endedAt_ms" CHECK (typeof("endedAt") IN ('integer', 'null'))
);
CREATE INDEX "AgentSession_repoId_createdAt_idx" ON "AgentSession" ("repoId", "createdAt");
CREATE INDEX "AgentSession_status_createdAt_idx" ON "AgentSession" ("status", "createdAt");
CREATE INDEX "AgentSession_createdAt_idx" ON "AgentSession" ("createdAt");

CREATE TABLE "AgentMessage" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "sessionId" TEXT NOT NULL,
  "itemId" TEXT NOT NULL,
  "turnId" TEXT,
  "role" TEXT NOT NULL,
  "content" TEXT NOT NULL,
  "partial" BOOLEAN NOT NULL DEFAULT false,
  "seq" INTEGER NOT NULL,
  "updatedSeq" INTEGER NOT NULL,
  "timestamp" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "updatedAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  CONSTRAINT "AgentMessage_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "AgentMessage_role_known" CHECK ("role" IN ('user', 'agent', 'system')),
  CONSTRAINT "AgentMessage_content_json" CHECK (json_valid("content")),
  CONSTRAINT "AgentMessage_partial_boolean" CHECK ("partial" IN (0, 1)),
  CONSTRAINT "AgentMessage_seq_counts" CHECK (typeof("seq") = 'integer' AND "seq" > 0),
  CONSTRAINT "AgentMessage_updatedSeq_follows" CHECK (typeof("updatedSeq") = 'integer' AND "updatedSeq" >= "seq"),
  CONSTRAINT "AgentMessage_timestamp_ms" CHECK (typeof("timestamp") = 'integer'),
  CONSTRAINT "AgentMessage_updatedAt_ms" CHECK (typeof("updatedAt") = 'integer')
);
CREATE UNIQUE INDEX "AgentMessage_sessionId_itemId_key" ON "AgentMessage" ("sessionId", "itemId");
CREATE INDEX "AgentMessage_sessionId_timestamp_idx" ON "AgentMessage" ("sessionId", "timestamp");
CREATE INDEX "AgentMessage_timestamp_idx" ON "AgentMessage" ("timestamp");
CREATE INDEX "AgentMessage_sessionId_updatedSeq_idx" ON "AgentMessage" ("sessionId", "updatedSeq");
-- One turn has one prompt, however often a client repeats it.
CREATE UNIQUE INDEX "AgentMessage_sessionId_turnId_user_key" ON "AgentMessage" ("sessionId", "turnId") WHERE "role" = 'user';

-- "data" carries no json_valid: the writer serialises it, and this is the hot path.
CREATE TABLE "AgentEvent" (
  "id" INTEGER NOT NULL PRIMARY KEY,
  "sessionId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "at" DATETIME NOT NULL,
  "type" TEXT NOT NULL,
  "data" TEXT NOT NULL,
  CONSTRAINT "AgentEvent_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "AgentEvent_seq_counts" CHECK (typeof("seq") = 'integer' AND "seq" > 0),
  CONSTRAINT "AgentEvent_at_ms" CHECK (typeof("at") = 'integer')
);
CREATE UNIQUE INDEX "AgentEvent_sessionId_seq_key" ON "AgentEvent" ("sessionId", "seq");

CREATE TABLE "Media" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "sessionId" TEXT,
  "sha256" TEXT NOT NULL,
  "mimeType" TEXT NOT NULL,
  "byteLength" INTEGER NOT NULL,
  "createdAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  CONSTRAINT "Media_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "Media_byteLength_counts" CHECK (typeof("byteLength") = 'integer' AND "byteLength" >= 0),
  CONSTRAINT "Media_createdAt_ms" CHECK (typeof("createdAt") = 'integer')
);
CREATE INDEX "Media_sessionId_idx" ON "Media" ("sessionId");
CREATE INDEX "Media_sha256_idx" ON "Media" ("sha256");

CREATE TABLE "Credential" (
  "id" TEXT NOT NULL PRIMARY KEY,
  "kind" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "scope" TEXT NOT NULL,
  "createdAt" DATETIME NOT NULL DEFAULT (CAST(round(unixepoch('subsec') * 1000) AS INTEGER)),
  "lastUsedAt" DATETIME,
  "expiresAt" DATETIME,
  CONSTRAINT "Credential_kind_known" CHECK ("kind" IN ('cookie', 'token')),
  CONSTRAINT "Credential_createdAt_ms" CHECK (typeof("createdAt") = 'integer'),
  CONSTRAINT "Credential_lastUsedAt_ms" CHECK (typeof("lastUsedAt") IN ('integer', 'null')),
  CONSTRAINT "Credential_expiresAt_ms" CHECK (typeof("expiresAt") IN ('integer', 'null'))
);
CREATE UNIQUE INDEX "Credential_hash_key" ON "Credential" ("hash");
