-- Where a device is told of news while nobody looks at its page: the browser's push subscription, as JSON. It goes with its credential.
ALTER TABLE "Credential" ADD COLUMN "pushSubscription" TEXT
  CONSTRAINT "Credential_pushSubscription_json" CHECK (json_valid("pushSubscription"));
