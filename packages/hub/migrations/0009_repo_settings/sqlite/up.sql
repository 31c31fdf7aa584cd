-- The settings of a repository for its new sessions, as JSON.
ALTER TABLE "Repo" ADD COLUMN "settings" TEXT;
