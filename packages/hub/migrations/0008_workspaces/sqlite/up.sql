-- The place of a session: the repository's own work tree, or one of its own.
ALTER TABLE "AgentSession" ADD COLUMN "workspace" TEXT;
