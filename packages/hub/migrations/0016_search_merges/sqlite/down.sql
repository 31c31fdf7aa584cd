INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('crisismerge', 16);
INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('automerge', 4);
