ALTER TABLE "Credential" DROP COLUMN "pushSubscription";
