-- A hub that is being emptied takes no new work, and gives its sessions to others. Its next start takes work again.
ALTER TABLE "Hub" ADD COLUMN "draining" boolean NOT NULL DEFAULT false;
