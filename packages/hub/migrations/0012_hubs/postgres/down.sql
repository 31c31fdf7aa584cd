ALTER TABLE "AgentSession" DROP COLUMN "activity";
DROP INDEX "Hub_machineId_startedAt_idx";
ALTER TABLE "Hub" DROP COLUMN "address";
ALTER TABLE "Hub" DROP COLUMN "token";
ALTER TABLE "Hub" DROP COLUMN "certificate";
ALTER TABLE "Hub" DROP COLUMN "volumes";
ALTER TABLE "Hub" DROP COLUMN "seenAt";
