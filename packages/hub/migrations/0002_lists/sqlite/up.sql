-- What lists of sessions need: marks, counters, indexes that answer every filter in the order of the list, and full-text search.
-- Columns are added, never by a rebuild: dropping "AgentSession" would take its triggers along.

ALTER TABLE "AgentSession" ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false
  CONSTRAINT "AgentSession_pinned_boolean" CHECK ("pinned" IN (0, 1));
ALTER TABLE "AgentSession" ADD COLUMN "archived" BOOLEAN NOT NULL DEFAULT false
  CONSTRAINT "AgentSession_archived_boolean" CHECK ("archived" IN (0, 1));
ALTER TABLE "AgentSession" ADD COLUMN "turnCount" INTEGER NOT NULL DEFAULT 0
  CONSTRAINT "AgentSession_turnCount_counts" CHECK (typeof("turnCount") = 'integer' AND "turnCount" >= 0);
ALTER TABLE "AgentSession" ADD COLUMN "messageCount" INTEGER NOT NULL DEFAULT 0
  CONSTRAINT "AgentSession_messageCount_counts" CHECK (typeof("messageCount") = 'integer' AND "messageCount" >= 0);
ALTER TABLE "AgentSession" ADD COLUMN "snapshot" TEXT
  CONSTRAINT "AgentSession_snapshot_json" CHECK (json_valid("snapshot"));
-- Counts sessions as they are created. It is the high half of a row's number in "SessionSearch", so it must survive a VACUUM,
-- which renumbers the hidden rowid of a table with a text key.
ALTER TABLE "AgentSession" ADD COLUMN "number" INTEGER;

CREATE INDEX "AgentMessage_sessionId_seq_idx" ON "AgentMessage" ("sessionId", "seq");

UPDATE "AgentSession" SET "number" = "numbered"."place"
  FROM (SELECT "id" AS "numberedId", row_number() OVER (ORDER BY "createdAt", "id") AS "place" FROM "AgentSession") AS "numbered"
  WHERE "id" = "numberedId";
UPDATE "AgentSession" SET "turnCount" = "counted"."turns", "messageCount" = "counted"."messages"
  FROM (
    SELECT "sessionId", count(*) AS "messages", count(*) FILTER (WHERE "role" = 'user' AND "turnId" IS NOT NULL) AS "turns"
    FROM "AgentMessage" GROUP BY "sessionId"
  ) AS "counted"
  WHERE "id" = "counted"."sessionId";

CREATE UNIQUE INDEX "AgentSession_number_key" ON "AgentSession" ("number");
-- A list is a merge of ranges of these: one for each value of "archived" and each status that is wanted.
CREATE INDEX "AgentSession_archived_createdAt_id_idx" ON "AgentSession" ("archived", "createdAt", "id");
CREATE INDEX "AgentSession_status_archived_createdAt_id_idx"
  ON "AgentSession" ("status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_repoId_status_archived_createdAt_id_idx"
  ON "AgentSession" ("repoId", "status", "archived", "createdAt", "id");

-- How many sessions there are of each kind: a list says how long it is without counting.
CREATE TABLE "SessionCount" (
  "repoId" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "archived" BOOLEAN NOT NULL,
  "sessions" INTEGER NOT NULL,
  PRIMARY KEY ("repoId", "status", "archived")
) WITHOUT ROWID;
INSERT INTO "SessionCount" SELECT "repoId", "status", "archived", count(*) FROM "AgentSession" GROUP BY 1, 2, 3;

CREATE TRIGGER "AgentSession_counted" AFTER INSERT ON "AgentSession" BEGIN
  INSERT INTO "SessionCount" VALUES (NEW."repoId", NEW."status", NEW."archived", 1)
    ON CONFLICT DO UPDATE SET "sessions" = "sessions" + 1;
END;
CREATE TRIGGER "AgentSession_recounted" AFTER UPDATE OF "repoId", "status", "archived" ON "AgentSession" BEGIN
  UPDATE "SessionCount" SET "sessions" = "sessions" - 1
    WHERE "repoId" = OLD."repoId" AND "status" = OLD."status" AND "archived" = OLD."archived";
  INSERT INTO "SessionCount" VALUES (NEW."repoId", NEW."status", NEW."archived", 1)
    ON CONFLICT DO UPDATE SET "sessions" = "sessions" + 1;
END;
CREATE TRIGGER "AgentSession_uncounted" AFTER DELETE ON "AgentSession" BEGIN
  UPDATE "SessionCount" SET "sessions" = "sessions" - 1
    WHERE "repoId" = OLD."repoId" AND "status" = OLD."status" AND "archived" = OLD."archived";
END;

-- Titles, prompts and answers. Contentless: the text stays in "AgentMessage" alone. The rowid is number << 32 | seq, with 0 for the
-- title, so that rows come in the order of the list and those of one session are together. "repo" holds one made-up word for each
-- repository, which keeps a search in one repository inside the index. The prefixes make short beginnings of words cheap. While it is filled,
-- more of it is kept in memory than the usual megabyte: that is twice as fast.
CREATE VIRTUAL TABLE "SessionSearch" USING fts5 (
  "text", "repo", content = '', contentless_delete = 1, prefix = '3 4', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('hashsize', 33554432);
INSERT INTO "SessionSearch" ("rowid", "text", "repo")
  SELECT "number" << 32, "title", char(57344) || replace("repoId", '-', '')
  FROM "AgentSession" WHERE "title" IS NOT NULL ORDER BY "number";
INSERT INTO "SessionSearch" ("rowid", "text", "repo")
  SELECT ("number" << 32) | "seq", json_extract("content", '$.text'), char(57344) || replace("repoId", '-', '')
  FROM "AgentSession" CROSS JOIN "AgentMessage" ON "sessionId" = "AgentSession"."id"
  WHERE "partial" = 0 AND "role" IN ('user', 'agent') AND json_extract("content", '$.type') = 'text'
  ORDER BY "number", "seq";
INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('hashsize', 1048576);

CREATE TRIGGER "AgentSession_unsearchable" BEFORE DELETE ON "AgentSession" BEGIN
  DELETE FROM "SessionSearch" WHERE "rowid" BETWEEN OLD."number" << 32 AND (OLD."number" << 32) | 4294967295;
END;
