-- A fork shares the events of another session up to forkedSeq; its own follow them.
ALTER TABLE "AgentSession" ADD COLUMN "forkedFrom" text COLLATE "C" REFERENCES "AgentSession" ("id") ON DELETE RESTRICT;
ALTER TABLE "AgentSession" ADD COLUMN "forkedSeq" integer;
ALTER TABLE "AgentSession" ADD COLUMN "forkedTurn" text;
CREATE INDEX "AgentSession_forkedFrom_idx" ON "AgentSession" ("forkedFrom") WHERE "forkedFrom" IS NOT NULL;
-- Where a turn begins and ends in a long log.
CREATE INDEX "AgentEvent_turns_idx" ON "AgentEvent" ("sessionId", "type", "seq") WHERE "type" IN ('turn.started', 'turn.ended');

-- The parts of a session's log: the sessions whose rows it has, each with the last event that belongs to it.
CREATE FUNCTION "logParts" ("wanted" text) RETURNS TABLE ("owner" text, "until" integer, "isOwn" boolean) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE part("owner", "until", "isOwn") AS (
    SELECT "wanted" COLLATE "C", 2147483647, true
    UNION ALL
    SELECT s."forkedFrom", least(s."forkedSeq", p."until"), false
    FROM part AS p JOIN "AgentSession" AS s ON s."id" = p."owner" WHERE s."forkedFrom" IS NOT NULL
  ) SELECT * FROM part
$$;
