-- No query reads these, and a flood of messages spends more on them than on the rows. The order of messages is that of "seq".
DROP INDEX "AgentMessage_sessionId_timestamp_idx";
DROP INDEX "AgentMessage_sessionId_updatedSeq_idx";
