-- A fork shares the events of another session up to forkedSeq; its own follow them.
ALTER TABLE "AgentSession" ADD COLUMN "forkedFrom" TEXT REFERENCES "AgentSession" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "AgentSession" ADD COLUMN "forkedSeq" INTEGER;
ALTER TABLE "AgentSession" ADD COLUMN "forkedTurn" TEXT;
CREATE INDEX "AgentSession_forkedFrom_idx" ON "AgentSession" ("forkedFrom") WHERE "forkedFrom" IS NOT NULL;
-- Where a turn begins and ends in a long log.
CREATE INDEX "AgentEvent_turns_idx" ON "AgentEvent" ("sessionId", "type", "seq") WHERE "type" IN ('turn.started', 'turn.ended');
