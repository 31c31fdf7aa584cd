-- The index is merged in small steps between other work. FTS5 would do it inside of commits, a level at a time.
INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('automerge', 0);
INSERT INTO "SessionSearch" ("SessionSearch", "rank") VALUES ('crisismerge', 256);
