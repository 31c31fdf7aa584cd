-- Forks keep their own events only.
DROP FUNCTION "logParts";
DROP INDEX "AgentEvent_turns_idx";
DROP INDEX "AgentSession_forkedFrom_idx";
ALTER TABLE "AgentSession" DROP COLUMN "forkedTurn";
ALTER TABLE "AgentSession" DROP COLUMN "forkedSeq";
ALTER TABLE "AgentSession" DROP COLUMN "forkedFrom";
