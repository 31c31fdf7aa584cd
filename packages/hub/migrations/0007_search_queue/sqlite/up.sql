-- Titles and texts that are stored and wait for the search index: a commit adds them here, and the index follows in batches.
-- "id" is the rowid that the text has in "SessionSearch".
CREATE TABLE "SearchQueue" ("id" INTEGER NOT NULL PRIMARY KEY);
