DROP TABLE "VisiblePage";
DROP TABLE "LoginCode";
DROP TABLE "SharedValue";
ALTER TABLE "Media" DROP CONSTRAINT "Media_sha256_fkey";
DROP TABLE "MediaFile";
