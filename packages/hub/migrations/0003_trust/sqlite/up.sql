-- What a person trusted a repository with: the hash of its agent configuration at that time. Null: not trusted by hand.
ALTER TABLE "Repo" ADD COLUMN "trustedHash" TEXT;
