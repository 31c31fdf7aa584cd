DROP TABLE "AgentCheckpoint";
