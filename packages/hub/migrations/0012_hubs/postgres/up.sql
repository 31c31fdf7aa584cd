-- What the hubs of one database know of each other: where to reach a hub, by which token, the volumes it has, and when it was last seen.
ALTER TABLE "Hub" ADD COLUMN "address" text;
-- Other hubs show it. Each start has a new one.
ALTER TABLE "Hub" ADD COLUMN "token" text;
-- PEM, when the hub serves TLS by itself.
ALTER TABLE "Hub" ADD COLUMN "certificate" text;
ALTER TABLE "Hub" ADD COLUMN "volumes" text[] COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE "Hub" ADD COLUMN "seenAt" timestamptz NOT NULL DEFAULT clock_timestamp();
CREATE INDEX "Hub_machineId_startedAt_idx" ON "Hub" ("machineId", "startedAt");
-- JSON of what an active session does, for the lists of the other hubs.
ALTER TABLE "AgentSession" ADD COLUMN "activity" text;
