CREATE INDEX "AgentMessage_sessionId_timestamp_idx" ON "AgentMessage" ("sessionId", "timestamp");
CREATE INDEX "AgentMessage_sessionId_updatedSeq_idx" ON "AgentMessage" ("sessionId", "updatedSeq");
