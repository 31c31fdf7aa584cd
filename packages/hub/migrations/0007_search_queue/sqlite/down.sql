-- The index of an older version has no queue: everything that waits is indexed now.
INSERT OR REPLACE INTO "SessionSearch" ("rowid", "text", "repo")
  SELECT "number" << 32, "title", char(57344) || replace("repoId", '-', '')
  FROM "SearchQueue" CROSS JOIN "AgentSession" ON "number" = "SearchQueue"."id" >> 32
  WHERE "SearchQueue"."id" & 4294967295 = 0 AND "title" IS NOT NULL;
INSERT OR REPLACE INTO "SessionSearch" ("rowid", "text", "repo")
  SELECT "SearchQueue"."id", json_extract("content", '$.text'), char(57344) || replace("repoId", '-', '')
  FROM "SearchQueue" CROSS JOIN "AgentSession" ON "number" = "SearchQueue"."id" >> 32
    CROSS JOIN "AgentMessage" ON "sessionId" = "AgentSession"."id" AND "seq" = "SearchQueue"."id" & 4294967295
  WHERE "partial" = 0 AND "role" IN ('user', 'agent') AND json_extract("content", '$.type') = 'text';
DROP TABLE "SearchQueue";
