-- Lists of one agent's sessions: their ranges, alone and inside a repository, and how many there are.
CREATE INDEX "AgentSession_extensionId_status_archived_createdAt_id_idx"
  ON "AgentSession" ("extensionId", "status", "archived", "createdAt", "id");
CREATE INDEX "AgentSession_repoId_extensionId_status_archived_createdAt_id_idx"
  ON "AgentSession" ("repoId", "extensionId", "status", "archived", "createdAt", "id");

DROP TRIGGER "AgentSession_uncounted";
DROP TRIGGER "AgentSession_recounted";
DROP TRIGGER "AgentSession_counted";
DROP TABLE "SessionCount";
CREATE TABLE "SessionCount" (
  "repoId" TEXT NOT NULL,
  "extensionId" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "archived" BOOLEAN NOT NULL,
  "sessions" INTEGER NOT NULL,
  PRIMARY KEY ("repoId", "extensionId", "status", "archived")
) WITHOUT ROWID;
INSERT INTO "SessionCount"
  SELECT "repoId", "extensionId", "status", "archived", count(*) FROM "AgentSession" GROUP BY 1, 2, 3, 4;

CREATE TRIGGER "AgentSession_counted" AFTER INSERT ON "AgentSession" BEGIN
  INSERT INTO "SessionCount" VALUES (NEW."repoId", NEW."extensionId", NEW."status", NEW."archived", 1)
    ON CONFLICT DO UPDATE SET "sessions" = "sessions" + 1;
END;
CREATE TRIGGER "AgentSession_recounted" AFTER UPDATE OF "repoId", "extensionId", "status", "archived" ON "AgentSession" BEGIN
  UPDATE "SessionCount" SET "sessions" = "sessions" - 1
    WHERE "repoId" = OLD."repoId" AND "extensionId" = OLD."extensionId"
      AND "status" = OLD."status" AND "archived" = OLD."archived";
  INSERT INTO "SessionCount" VALUES (NEW."repoId", NEW."extensionId", NEW."status", NEW."archived", 1)
    ON CONFLICT DO UPDATE SET "sessions" = "sessions" + 1;
END;
CREATE TRIGGER "AgentSession_uncounted" AFTER DELETE ON "AgentSession" BEGIN
  UPDATE "SessionCount" SET "sessions" = "sessions" - 1
    WHERE "repoId" = OLD."repoId" AND "extensionId" = OLD."extensionId"
      AND "status" = OLD."status" AND "archived" = OLD."archived";
END;
