ALTER TABLE "Hub" DROP COLUMN "draining";
