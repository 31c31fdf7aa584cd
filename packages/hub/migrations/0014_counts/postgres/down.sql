DROP INDEX "AgentSession_repoId_number_idx";
DROP TRIGGER "AgentSession_uncounted" ON "AgentSession";
DROP TRIGGER "AgentSession_recounted" ON "AgentSession";
DROP TRIGGER "AgentSession_counted" ON "AgentSession";
DROP FUNCTION "countSession";
DROP TABLE "SessionCount";
