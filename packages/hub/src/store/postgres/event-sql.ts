// The statements of the event log.

const TEXT = (start: string, length: string): string =>
  `convert_from(substring($3::bytea FROM ${start} FOR ${length}), 'UTF8')`

/** A changed column, or its value before. */
const CHANGED = (column: string, before: string): string =>
  `coalesce(p."change" ->> '${column}', ${before})`
const NULLABLE = (column: string, type: string, before: string): string =>
  `CASE WHEN p."change" ? '${column}' THEN (p."change" ->> '${column}')::${type} ELSE ${before} END`
const FLAG = (column: string, before: string): string =>
  `coalesce((p."change" ->> '${column}')::boolean, ${before})`

const STORE_EVENTS = `INSERT INTO "AgentEvent" ("sessionId", "seq", "epoch", "at", "type", "data")
    SELECT m."id", e."seq", m."epoch", e."at", e."type", ${TEXT('e."start"', 'e."length"')}
    FROM unnest($4::int[], $5::int[], $6::bigint[], $7::text[], $8::int[], $9::int[])
      AS e("n", "seq", "at", "type", "start", "length") JOIN mine AS m USING ("n")`

/** Not by the index of owners, which would read every session that the hub has ever had. */
const IS_MINE = `coalesce(s."owner", '') = $2 AND s."epoch" = p."epoch"`

/**
 * Stores a whole batch, or nothing of it: `requireAll` ends the statement when a session has another owner, another epoch or
 * another last event. Rows that one part inserts are not visible to the others, so a session that begins gets its changes and
 * counts with its row.
 */
export const COMMIT = {
  name: 'commit',
  text: `WITH part AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS p("n" int, "id" text, "epoch" int, "expected" int, "next" int, "at" bigint, "created" jsonb, "change" jsonb)
  ), owned AS (
    SELECT p."n", p."id", p."epoch" FROM part AS p JOIN "AgentSession" AS s ON s."id" = p."id"
    WHERE p."created" IS NULL AND ${IS_MINE} AND (p."expected" IS NULL OR s."lastSeq" = p."expected")
    FOR UPDATE OF s
  ), forked AS (
    SELECT p."n", p."id", s."id" AS "from", (p."created" -> 'forkedFrom' ->> 'seq')::int AS "seq",
      p."created" -> 'forkedFrom' ->> 'turnId' AS "turn"
    FROM part AS p JOIN "AgentSession" AS s ON s."id" = p."created" -> 'forkedFrom' ->> 'sessionId'
    WHERE p."created" IS NOT NULL AND NOT (s."removing" AND s."status" <> 'active') FOR SHARE OF s
  ), shared AS (
    SELECT f."id", f."from", f."seq", f."turn", count(m."id")::int AS "messages",
      (count(m."id") FILTER (WHERE m."role" = 'user' AND m."turnId" IS NOT NULL))::int AS "turns"
    FROM forked AS f CROSS JOIN LATERAL "logParts"(f."from") AS l
    LEFT JOIN "AgentMessage" AS m ON m."sessionId" = l."owner" AND m."seq" <= least(l."until", f."seq")
      AND (m."role" <> 'user' OR m."turnId" IS NULL
        OR (m."updatedSeq" > m."seq" AND m."updatedSeq" <= least(l."until", f."seq")))
    GROUP BY f."id", f."from", f."seq", f."turn"
  ), mine AS (
    SELECT "n", "id", "epoch" FROM owned
    UNION ALL SELECT "n", "id", 1 FROM part WHERE "created" IS NOT NULL AND "created" -> 'forkedFrom' IS NULL
    UNION ALL SELECT "n", "id", 1 FROM forked
  ), stored AS (
    ${STORE_EVENTS}
  ), written AS (
    SELECT m."id" AS "sessionId", w.*, ${TEXT('w."start"', 'w."length"')} AS "content"
    FROM unnest($10::int[], $11::text[], $12::int[], $13::int[], $14::int[], $15::int[], $16::bigint[], $17::bigint[],
        $18::boolean[], $19::boolean[], $20::boolean[], $21::text[], $22::text[], $23::text[])
      AS w("n", "role", "start", "length", "seq", "updatedSeq", "at", "updatedAt",
        "isPartial", "hasRow", "isSearched", "id", "itemId", "turnId") JOIN mine AS m USING ("n")
  ), added AS (
    INSERT INTO "AgentMessage" ("id", "sessionId", "itemId", "turnId", "role", "content", "partial", "seq", "updatedSeq",
      "timestamp", "updatedAt")
    SELECT "id", "sessionId", "itemId", "turnId", "role", "content", "isPartial", "seq", "updatedSeq", "at", "updatedAt"
    FROM written WHERE NOT "hasRow" ON CONFLICT DO NOTHING RETURNING "sessionId", "role", "turnId"
  ), grown AS (
    UPDATE "AgentMessage" AS t
    SET "content" = w."content", "partial" = w."isPartial", "updatedSeq" = w."updatedSeq", "updatedAt" = w."updatedAt"
    FROM written AS w
    WHERE w."hasRow" AND t."sessionId" = w."sessionId" AND t."itemId" = w."itemId" AND t."seq" = w."seq"
  ), searched AS (
    INSERT INTO "SearchQueue" ("sessionId", "seq")
    SELECT "sessionId", "seq" FROM written WHERE "isSearched"
    UNION ALL SELECT m."id", 0 FROM mine AS m JOIN part AS p USING ("n") WHERE p."change" ? 'title'
  ), folded AS (
    INSERT INTO "AgentCheckpoint" ("sessionId", "seq", "steps", "state")
    SELECT m."id", c."seq", c."steps", ${TEXT('c."start"', 'c."length"')}
    FROM unnest($24::int[], $25::int[], $26::int[], $27::int[], $28::int[])
      AS c("n", "seq", "steps", "start", "length") JOIN mine AS m USING ("n") ON CONFLICT DO NOTHING
  ), counted AS (
    SELECT "sessionId", count(*)::int AS "messages",
      (count(*) FILTER (WHERE "role" = 'user' AND "turnId" IS NOT NULL))::int AS "turns"
    FROM added GROUP BY "sessionId"
  ), begun AS (
    INSERT INTO "AgentSession" ("id", "repoId", "extensionId", "owner", "createdAt", "updatedAt", "lastSeq",
      "turnCount", "messageCount", "status", "title", "metadata", "endedAt", "settings", "snapshot", "workspace",
      "acpSessionId", "activity", "pinned", "archived", "forkedFrom", "forkedSeq", "forkedTurn")
    SELECT p."id", p."created" ->> 'repoId', p."created" ->> 'extensionId', $2, (p."created" ->> 'at')::bigint,
      coalesce(p."at", (p."created" ->> 'at')::bigint), coalesce(p."next", f."seq", 0),
      coalesce(c."turns", 0) + coalesce(f."turns", 0), coalesce(c."messages", 0) + coalesce(f."messages", 0), ${CHANGED('status', `'active'`)},
      ${NULLABLE('title', 'text', `p."created" ->> 'title'`)}, ${CHANGED('metadata', `'{}'`)},
      (p."change" ->> 'endedAt')::bigint, ${CHANGED('settings', `p."created" ->> 'settings'`)}, p."change" ->> 'snapshot',
      ${CHANGED('workspace', `p."created" ->> 'workspace'`)}, p."change" ->> 'acpSessionId', p."change" ->> 'activity',
      ${FLAG('pinned', 'false')}, ${FLAG('archived', 'false')}, f."from", f."seq", f."turn"
    FROM part AS p LEFT JOIN counted AS c ON c."sessionId" = p."id" LEFT JOIN shared AS f ON f."id" = p."id"
    WHERE p."created" IS NOT NULL
  ), changed AS (
    UPDATE "AgentSession" AS s SET "lastSeq" = coalesce(p."next", s."lastSeq"), "updatedAt" = coalesce(p."at", s."updatedAt"),
      "turnCount" = s."turnCount" + coalesce(c."turns", 0), "messageCount" = s."messageCount" + coalesce(c."messages", 0),
      "status" = ${CHANGED('status', 's."status"')}, "title" = ${NULLABLE('title', 'text', 's."title"')},
      "metadata" = ${CHANGED('metadata', 's."metadata"')}, "endedAt" = ${NULLABLE('endedAt', 'bigint', 's."endedAt"')},
      "settings" = ${CHANGED('settings', 's."settings"')}, "snapshot" = ${CHANGED('snapshot', 's."snapshot"')},
      "workspace" = ${CHANGED('workspace', 's."workspace"')},
      "acpSessionId" = ${CHANGED('acpSessionId', 's."acpSessionId"')}, "activity" = ${CHANGED('activity', 's."activity"')},
      "removing" = s."removing" AND NOT p."change" ? 'status',
      "pinned" = ${FLAG('pinned', 's."pinned"')}, "archived" = ${FLAG('archived', 's."archived"')}
    FROM owned AS o JOIN part AS p USING ("n") LEFT JOIN counted AS c ON c."sessionId" = p."id" WHERE s."id" = o."id"
  )
  SELECT "requireAll"((SELECT count(*) FROM mine), (SELECT count(*) FROM part))`,
}

/** The same for a batch of nothing but events, which most are: it takes the server two thirds of the time. */
export const APPEND = {
  name: 'append',
  text: `WITH part AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS p("n" int, "id" text, "epoch" int, "expected" int, "next" int, "at" bigint)
  ), mine AS (
    UPDATE "AgentSession" AS s SET "lastSeq" = p."next", "updatedAt" = p."at"
    FROM part AS p WHERE s."id" = p."id" AND ${IS_MINE} AND s."lastSeq" = p."expected"
    RETURNING p."n", s."id", s."epoch"
  ), stored AS (
    ${STORE_EVENTS}
  )
  SELECT "requireAll"((SELECT count(*) FROM mine), (SELECT count(*) FROM part))`,
}

/**
 * Pages of several logs, each in any order. A page ends after the event that makes it long enough: unlike SQLite's rows, it is read as a
 * whole.
 */
export const READ = {
  name: 'event_read',
  text: `SELECT "n"::int, "seq", '{"sessionId":"' || "id" || '","seq":' || "seq" || ',"at":' || "at" || ',"type":"' || "type" ||
      '","data":' || "data" || '}' AS "json"
    FROM unnest($1::text[], $2::int[], $3::int[]) WITH ORDINALITY AS w("id", "after", "limit", "n") CROSS JOIN LATERAL (
      SELECT e.*, sum(octet_length("data")) OVER (ORDER BY "seq") - octet_length("data") AS "before"
      FROM "logParts"(w."id") AS p CROSS JOIN LATERAL (
        SELECT "seq", "at", "type", "data" FROM "AgentEvent"
        WHERE "sessionId" = p."owner" AND "seq" > w."after" AND "seq" <= p."until" ORDER BY "seq" LIMIT w."limit"
      ) AS e ORDER BY "seq" LIMIT w."limit"
    ) AS page WHERE "before" < $4`,
}

export const LAST_SEQ = {
  name: 'event_last_seq',
  text: 'SELECT "lastSeq" AS "seq" FROM "AgentSession" WHERE "id" = $1',
}

/** By halving: there is an index on `seq`, and none on `at`. */
export const LAST_SEQ_UNTIL = {
  name: 'event_last_seq_until',
  text: `WITH RECURSIVE half("low", "high") AS (
      SELECT 0, "lastSeq" FROM "AgentSession" WHERE "id" = $1
      UNION ALL
      SELECT CASE WHEN e."at" <= $2 THEN e."seq" ELSE "low" END, CASE WHEN e."at" <= $2 THEN "high" ELSE e."seq" - 1 END
      FROM half CROSS JOIN LATERAL (
        SELECT e."at", e."seq" FROM "logParts"($1) AS p JOIN "AgentEvent" AS e
          ON e."sessionId" = p."owner" AND e."seq" <= p."until" AND e."seq" = ("low" + "high" + 1) / 2
      ) AS e WHERE "low" < "high"
    ) SELECT max("low") AS "seq" FROM half`,
}

/** The last starts or ends of turns between two events whose data contains a text. */
export const TURNS = {
  name: 'event_turns',
  text: `SELECT e."seq", e."data" FROM "logParts"($1) AS p CROSS JOIN LATERAL (
      SELECT "seq", "data" FROM "AgentEvent"
      WHERE "sessionId" = p."owner" AND "type" = $2 AND "type" IN ('turn.started', 'turn.ended')
        AND "seq" > $3 AND "seq" <= least(p."until", $4) AND strpos("data", $5) > 0
      ORDER BY "seq" DESC LIMIT 10
    ) AS e ORDER BY e."seq" DESC LIMIT 10`,
}

/** The sessions of a batch that have its events already, by this hub at this epoch. */
export const FIND_STORED = {
  name: 'event_find_stored',
  text: `SELECT s."id" FROM unnest($2::text[], $3::int[], $4::int[]) AS p("id", "epoch", "seq")
    JOIN "AgentSession" AS s ON s."id" = p."id" AND s."owner" = $1 AND s."epoch" = p."epoch" AND s."lastSeq" >= p."seq"`,
}
