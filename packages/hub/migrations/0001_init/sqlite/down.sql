-- Children before parents. Every row goes with its table: rolling back the first migration empties the database.
DROP TABLE "Credential";
DROP TABLE "Media";
DROP TABLE "AgentEvent";
DROP TABLE "AgentMessage";
DROP TABLE "AgentSession";
DROP TABLE "Repo";
