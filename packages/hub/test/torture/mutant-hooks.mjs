// The faults that the harnesses for recovery and for hostile input have to find, as changes to the built modules. One that no longer fits is an error, not a pass.

/** Long enough for a kill to come in between. */
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 50));'
/** For a killer that is busy. */
const WAIT_BEFORE_A_PROMPT =
  "if (this.#pending.all().some(({ body }) => body.type === 'turn.queued')) await new Promise(() => {});"

const MUTANTS = {
  // Not a fault: takeovers can be waited for.
  'short-lease': {
    'store/postgres/lease.js': [['const LEASE_MS = 15_000', 'const LEASE_MS = 2_500']],
  },
  'checks-no-epoch': {
    'store/postgres/event-sql.js': [
      [
        `coalesce(s."owner", '') = $2 AND s."epoch" = p."epoch"`,
        '$2::text IS NOT NULL AND p."epoch" IS NOT NULL',
      ],
    ],
  },
  'renews-after-burial': {
    'store/postgres/lease.js': [
      ['WHERE "id" = $1 AND NOT "dead" RETURNING "id"', 'WHERE "id" = $1 RETURNING "id"'],
    ],
  },
  'retries-blindly': {
    'store/postgres/event-rows.js': [
      [
        'const { statement, values } = commitOf(batch,',
        'let { statement, values } = commitOf(batch,',
      ],
      [
        'isRepeated = true;',
        `{
          batch = batch.map((part) => ({
            ...part,
            events: part.events.map((event) => ({ ...event, seq: event.seq + part.events.length })),
          }));
          ({ statement, values } = commitOf(batch, hubId, (id) => this.#ownership.epochOf(id)));
        }`,
      ],
    ],
  },
  'writes-after-lapse': {
    'sessions/log/event-log.js': [['hubId !== undefined && hubId !== this.hubId', 'false']],
  },
  'keeps-agents': {
    'process/process-owner.js': [
      ['new Watchdog(this.#tags.runPrefix, log, lease)', 'new Watchdog(this.#tags.runPrefix, log)'],
    ],
  },
  'follows-the-clock': {
    'steady-clock.js': [['Math.floor(uptime() * 1000)', 'Date.now()']],
  },
  'trusts-hints': {
    'cluster/elsewhere.js': [['await this.#lookAtFollowed();', '']],
  },
  'answers-before-commit': answerBeforeCommit(WAIT),
  'answers-and-stores-no-prompt': answerBeforeCommit(WAIT_BEFORE_A_PROMPT),
  'tells-before-commit': {
    'sessions/log/event-log.js': [
      [
        'return whenReady(this.#store.commit(rows)',
        `this.#notify([], numbered);
        const committed = (async () => { ${WAIT} await this.#store.commit(rows); })();
        return whenReady(committed`,
      ],
      [
        'this.#notify(batch, result);',
        'for (const [index, { waiters }] of batch.entries()) for (const waiter of waiters) waiter.resolve(result[index].event);',
      ],
    ],
  },
  'recovers-nothing': {
    'store/sqlite/session-rows.js': [["WHERE status = 'active'", 'WHERE false']],
  },
  'recovers-everything': {
    'store/sqlite/session-rows.js': [["WHERE status = 'active'", '']],
    'sessions/log/close-log.js': [["transcript.status !== 'active'", 'false']],
  },
  'ends-no-orphan': {
    'hub-parts.js': [['= sweepOrphans(hubId, log);', '= undefined;']],
    'process/process-owner.js': [['this.watchdog.start();', '']],
  },
  'fails-at-wrong-input': {
    'http/error-response.js': [['if (error instanceof z.ZodError)', 'if (false)']],
  },
  'answers-no-strange-id': {
    'http/feeds/json-rpc.js': [
      [
        'return id === undefined ? undefined',
        "return id === undefined || String(id).endsWith('7') ? undefined",
      ],
    ],
  },
  'knows-no-shortage': {
    'system-errors.js': [["new Set(['EMFILE', 'ENFILE'])", 'new Set()']],
  },
  'waits-for-git': {
    'repos/git/stalled-process.js': [['if (idleLooks >= IDLE_LOOKS)', 'if (false)']],
  },
  // Not a fault: it waits for a kill in the middle of an undo.
  'stops-in-undo': {
    'repos/files/replace-file.js': [
      [
        'await rename(unfinished,',
        "if (name === 'file-30.txt') await new Promise(() => {}); await rename(unfinished,",
      ],
    ],
  },
  'undoes-over-changes': {
    'sessions/changes/restore.js': [['isSameEntry(current, difference.from)', 'true']],
  },
  'undoes-without-journal': {
    'sessions/changes/undo.js': [
      ['await rename(`${file}${UNFINISHED}`, file);', ''],
      ['await rm(file);\n            return restored;', 'return restored;'],
    ],
    ...restoreSlowly(),
  },
  // Not a fault: a kill finds the step in its middle.
  'restores-slowly': restoreSlowly(),
  'forks-present-files': {
    'sessions/changes/fork-files.js': [
      ['if (kept)', 'if (false)'],
      ['if (at && !isLast)', 'if (false)'],
    ],
  },
  'discards-without-keeping': {
    'workspaces/discard.js': [['if (isKept)', 'if (false)']],
  },
  'reads-anywhere': {
    'repos/files/repo-file.js': [
      [
        'const { byteLength, bytes } = await files.readBytes(absolute, MAX_IMAGE_BYTES);',
        "const bytes = (await import('node:fs')).readFileSync(absolute); const byteLength = bytes.length;",
      ],
    ],
  },
}

/** Several are separated by spaces. */
const changes = {}
for (const name of process.env.QUAYSIDE_MUTANT.split(' ')) {
  if (MUTANTS[name] === undefined) throw new Error(`There is no mutant ${name}.`)
  for (const [file, replaced] of Object.entries(MUTANTS[name]))
    changes[file] = [...(changes[file] ?? []), ...replaced]
}

export async function load(url, context, nextLoad) {
  const file = Object.keys(changes).find((name) => url.endsWith(`/dist/${name}`))
  const loaded = await nextLoad(url, context)
  if (file === undefined) return loaded
  const source = changes[file].reduce(replaceOnce, String(loaded.source))
  return { ...loaded, source }
}

function answerBeforeCommit(wait) {
  return {
    'sessions/log/pending-events.js': [
      ['get isEmpty() {', 'all() { return this.#events; }\n    get isEmpty() {'],
    ],
    'sessions/log/event-log.js': [
      ['    #commit() {', `    async #commit() { ${wait}`],
      [
        'pending.waiters.push({ resolve, reject });',
        `{
          pending.waiters.push({ resolve, reject });
          if (['turn.queued', 'permission.resolved'].includes(body.type)) {
            const mine = this.#pending.all().filter((other) => other.sessionId === sessionId);
            resolve({ sessionId, seq: this.lastSeq(sessionId) + mine.length, ...body });
          }
        }`,
      ],
    ],
  }
}

function restoreSlowly() {
  return {
    'repos/files/replace-file.js': [
      ['await rename(unfinished,', `${WAIT} await rename(unfinished,`],
    ],
  }
}

function replaceOnce(source, [from, to]) {
  const parts = source.split(from)
  if (parts.length !== 2) throw new Error(`The mutant does not fit: ${parts.length - 1} × ${from}`)
  return parts.join(to)
}
