-- Checkpoints of the fold of a log, so that no reader folds it from its beginning. They follow from "AgentEvent": a missing one is
-- made again when the log is read.
CREATE TABLE "AgentCheckpoint" (
  "id" INTEGER NOT NULL PRIMARY KEY,
  "sessionId" TEXT NOT NULL,
  "seq" INTEGER NOT NULL,
  "steps" INTEGER NOT NULL,
  "state" TEXT NOT NULL,
  CONSTRAINT "AgentCheckpoint_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "AgentSession" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "AgentCheckpoint_seq_counts" CHECK (typeof("seq") = 'integer' AND "seq" > 0),
  CONSTRAINT "AgentCheckpoint_steps_counts" CHECK (typeof("steps") = 'integer' AND "steps" >= 0)
);
CREATE UNIQUE INDEX "AgentCheckpoint_sessionId_seq_key" ON "AgentCheckpoint" ("sessionId", "seq");
CREATE INDEX "AgentCheckpoint_sessionId_steps_idx" ON "AgentCheckpoint" ("sessionId", "steps");
