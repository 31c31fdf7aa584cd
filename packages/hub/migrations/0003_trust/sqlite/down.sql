ALTER TABLE "Repo" DROP COLUMN "trustedHash";
