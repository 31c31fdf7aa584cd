-- Sessions, messages and events stay; what only lists knew goes.
DROP TRIGGER "AgentSession_unsearchable";
DROP TRIGGER "AgentSession_uncounted";
DROP TRIGGER "AgentSession_recounted";
DROP TRIGGER "AgentSession_counted";
DROP TABLE "SessionSearch";
DROP TABLE "SessionCount";
DROP INDEX "AgentSession_repoId_status_archived_createdAt_id_idx";
DROP INDEX "AgentSession_status_archived_createdAt_id_idx";
DROP INDEX "AgentSession_archived_createdAt_id_idx";
DROP INDEX "AgentSession_number_key";
DROP INDEX "AgentMessage_sessionId_seq_idx";
ALTER TABLE "AgentSession" DROP COLUMN "number";
ALTER TABLE "AgentSession" DROP COLUMN "snapshot";
ALTER TABLE "AgentSession" DROP COLUMN "messageCount";
ALTER TABLE "AgentSession" DROP COLUMN "turnCount";
ALTER TABLE "AgentSession" DROP COLUMN "archived";
ALTER TABLE "AgentSession" DROP COLUMN "pinned";
