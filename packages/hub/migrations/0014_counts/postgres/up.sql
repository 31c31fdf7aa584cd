-- The numbers of sessions for the totals of lists, as changes that a read sums up: a row that is updated in place would be locked by
-- every hub. A hub replaces many rows by their sums now and then.
CREATE TABLE "SessionCount" (
  "repoId" text COLLATE "C" NOT NULL,
  "extensionId" text COLLATE "C" NOT NULL,
  "status" text COLLATE "C" NOT NULL,
  "archived" boolean NOT NULL,
  "sessions" integer NOT NULL,
  "isSum" boolean NOT NULL DEFAULT false
);

CREATE FUNCTION "countSession" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO "SessionCount" VALUES (OLD."repoId", OLD."extensionId", OLD."status", OLD."archived", -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "SessionCount" VALUES (NEW."repoId", NEW."extensionId", NEW."status", NEW."archived", 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "AgentSession_counted" AFTER INSERT ON "AgentSession" FOR EACH ROW EXECUTE FUNCTION "countSession" ();
CREATE TRIGGER "AgentSession_recounted" AFTER UPDATE OF "repoId", "extensionId", "status", "archived" ON "AgentSession" FOR EACH ROW
  WHEN (OLD."status" <> NEW."status" OR OLD."archived" <> NEW."archived" OR OLD."repoId" <> NEW."repoId"
    OR OLD."extensionId" <> NEW."extensionId")
  EXECUTE FUNCTION "countSession" ();
CREATE TRIGGER "AgentSession_uncounted" AFTER DELETE ON "AgentSession" FOR EACH ROW EXECUTE FUNCTION "countSession" ();

-- After the triggers, which wait for the commits of hubs that run.
INSERT INTO "SessionCount"
  SELECT "repoId", "extensionId", "status", "archived", count(*), true FROM "AgentSession" GROUP BY 1, 2, 3, 4;

-- A search in a repository reads its sessions from the newest one.
CREATE INDEX "AgentSession_repoId_number_idx" ON "AgentSession" ("repoId", "number");
