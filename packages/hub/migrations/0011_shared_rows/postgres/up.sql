-- What the hubs of one database have together: the bytes of media, one-time codes, keys, and the devices with a visible page.

-- Named by their content. The foreign key keeps a file that another hub begins to use from being removed.
CREATE TABLE "MediaFile" (
  "sha256" text COLLATE "C" PRIMARY KEY,
  "bytes" bytea NOT NULL
);
ALTER TABLE "Media" ADD CONSTRAINT "Media_sha256_fkey" FOREIGN KEY ("sha256") REFERENCES "MediaFile" ("sha256") NOT VALID;

-- The first hub that stores a value decides it for all.
CREATE TABLE "SharedValue" (
  "name" text COLLATE "C" PRIMARY KEY,
  "value" text NOT NULL
);

-- A used code stays until it would have expired, so that the page that shows it can see that.
CREATE TABLE "LoginCode" (
  "id" text COLLATE "C" PRIMARY KEY,
  -- SHA-256 of the code.
  "hash" text COLLATE "C" NOT NULL UNIQUE,
  "name" text,
  "scope" text NOT NULL,
  "expiresAt" timestamptz NOT NULL,
  "used" boolean NOT NULL DEFAULT false
);

-- A hub that dies leaves its rows, which end by themselves.
CREATE TABLE "VisiblePage" (
  "credentialId" text COLLATE "C" NOT NULL,
  "hub" text COLLATE "C" NOT NULL,
  "until" timestamptz NOT NULL,
  PRIMARY KEY ("credentialId", "hub")
);
