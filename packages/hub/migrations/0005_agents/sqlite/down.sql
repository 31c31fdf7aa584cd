-- Counts as 0002_lists made them. No session changes.
DROP TRIGGER "AgentSession_uncounted";
DROP TRIGGER "AgentSession_recounted";
DROP TRIGGER "AgentSession_counted";
DROP TABLE "SessionCount";
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

DROP INDEX "AgentSession_repoId_extensionId_status_archived_createdAt_id_idx";
DROP INDEX "AgentSession_extensionId_status_archived_createdAt_id_idx";
