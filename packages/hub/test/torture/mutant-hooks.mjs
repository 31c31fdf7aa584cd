// The faults a harness for recovery has to find, as changes to the built modules. One that no longer fits is an error, not a pass.

/** Long enough for a kill to come in between. */
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 50));'

const MUTANTS = {
  'answers-before-commit': {
    'sessions/log/event-log.js': [
      ['    #commit() {', `    async #commit() { ${WAIT}`],
      [
        'this.#enqueue(sessionId, body).waiters.push({ resolve, reject })',
        `{
          this.#enqueue(sessionId, body).waiters.push({ resolve, reject });
          if (['turn.queued', 'permission.resolved'].includes(body.type)) {
            const mine = this.#pending.filter((other) => other.sessionId === sessionId);
            resolve({ sessionId, seq: this.lastSeq(sessionId) + mine.length, ...body });
          }
        }`,
      ],
    ],
  },
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
  },
  'ends-no-orphan': {
    'hub.js': [['await sweepOrphans(hubId, log);', '']],
    'process/process-owner.js': [['this.watchdog.start();', '']],
  },
}

const changes = MUTANTS[process.env.QUAYSIDE_MUTANT]
if (changes === undefined) throw new Error(`There is no mutant ${process.env.QUAYSIDE_MUTANT}.`)

export async function load(url, context, nextLoad) {
  const file = Object.keys(changes).find((name) => url.endsWith(`/dist/${name}`))
  const loaded = await nextLoad(url, context)
  if (file === undefined) return loaded
  const source = changes[file].reduce(replaceOnce, String(loaded.source))
  return { ...loaded, source }
}

function replaceOnce(source, [from, to]) {
  const parts = source.split(from)
  if (parts.length !== 2) throw new Error(`The mutant does not fit: ${parts.length - 1} × ${from}`)
  return parts.join(to)
}
