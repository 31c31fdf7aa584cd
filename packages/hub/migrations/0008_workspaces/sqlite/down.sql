-- Sessions with a work tree of their own continue in that of the repository; their branches and folders stay.
ALTER TABLE "AgentSession" DROP COLUMN "workspace";
