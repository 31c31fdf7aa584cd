// The benchmarks: what each measures, the floors beside it, and its targets. The only place that states a target; the report,
// the page and the plots are readings of this table. `rounds`: fewer than the usual five, where a round takes long.

const atMost = (limit, unit, what) => ({ limit, unit, what, isMet: (value) => value <= limit })
const atLeast = (limit, unit, what) => ({
  limit,
  unit,
  what,
  isLower: true,
  isMet: (value) => value >= limit,
})

/** (b) is readline + JSON.parse on the same load in the same round. */
const OF_B = '× (b)'
const OF_CPU = '× CPU of (b)'
const EXPRESS = '× bare Express'

export const BENCHMARKS = {
  reader: {
    load: () => import('./scenarios/reader/reader.mjs'),
    rounds: 3,
    title: 'Reading an agent',
    what: "an agent's updates from its pipe to a session's handler, and through a whole session into the committed log",
    floors: "(b) readline + `JSON.parse`, a split of bytes, the ACP SDK's client",
    feels:
      'What you feel: the rate at which the hub takes in an agent’s output before it slows the agent down.',
    targets: {},
  },
  relay: {
    load: () => import('./scenarios/relay/relay.mjs'),
    title: 'From the agent to its followers',
    what: 'updates through a whole hub to WebSocket clients: floods of text, mixed updates and tool calls; single updates; a session beside a flood; a fast reader beside clients that do not read; a late joiner; the bytes stored',
    floors:
      '(b) readline + `JSON.parse`, a bare relay from pipe to WebSocket, the same hub without load, a bare read of the rows, a bare send of as many bytes',
    feels:
      'What you feel: the time until the words that an agent writes are on your screen, alone and while another session is busy.',
    targets: {
      text1Rate: atLeast(0.5, OF_B, 'text, 1 follower'),
      text1Cpu: atMost(2.5, OF_CPU, 'text, 1 follower, processor time'),
      text10Rate: atLeast(0.3, OF_B, 'text, 10 followers'),
      text100Rate: atLeast(0.05, OF_B, 'text, 100 followers'),
      mixedRate: atLeast(0.4, OF_B, 'mixed, 1 follower'),
      mixedCpu: atMost(3, OF_CPU, 'mixed, 1 follower, processor time'),
      dripP50: atMost(1, 'ms', 'single update, added to a bare relay, p50'),
      dripP99: atMost(3, 'ms', 'single update, added to a bare relay, p99'),
      neighbourP50: atMost(1, 'ms', 'update beside a flood, p50'),
      neighbourP99: atMost(8, 'ms', 'update beside a flood, p99'),
      stuckRate: atLeast(0.8, '× alone', 'fast reader beside stuck clients'),
      stuckMb: atMost(4, 'MB', 'memory for each stuck client'),
      replayFirstMs: atMost(20, 'ms', 'late joiner, first page'),
      replayRead: atMost(2, '× bare read', 'late joiner, all of 100,000 mixed updates'),
      textBytes: atMost(1.2, '× written', 'bytes stored, text'),
      mixedBytes: { unit: '× written', what: 'bytes stored, mixed' },
      toolsBytes: atMost(1.3, '× written', 'bytes stored, tool calls'),
    },
  },
  steady: {
    load: () => import('./scenarios/steady.mjs'),
    title: 'A steady load',
    what: 'one session at 1,000 updates a second, and twenty sessions at 100 a second each',
    floors: 'a bare relay at the same pace',
    feels:
      'What you feel: the responsiveness of twenty agents at work, and the processor that they leave to everything else.',
    targets: {
      steadyCpu: atMost(0.35, 'ms/update', 'processor time at 1,000 updates a second'),
      twentyP50: { unit: 'ms', what: '20 sessions × 100 updates a second, p50' },
      twentyP99: atMost(15, 'ms', '20 sessions × 100 updates a second, p99'),
    },
  },
  neighbours: {
    load: () => import('./scenarios/neighbours.mjs'),
    rounds: 3,
    title: 'Other sessions while one is busy',
    what: 'the updates of one session while one client, or ten, replay 100,000 updates of another, and while another agent sends one chunk of 10 MiB',
    floors: 'the same session with an idle hub',
    feels:
      'What you feel: the stutter of your session when a colleague opens a long one, or when another agent sends a huge text.',
    targets: {
      oneReplayP99: atMost(15, 'ms', 'while one client replays 100,000 updates, p99'),
      tenJoinP99: atMost(25, 'ms', 'while ten clients join, p99'),
      chunkWorst: atMost(50, 'ms', 'worst update during a 10 MiB chunk'),
    },
  },
  long: {
    load: () => import('./scenarios/long.mjs'),
    rounds: 3,
    title: 'Long sessions',
    what: 'the first screen of sessions of 1,000 to 1,000,000 events, in many turns and in a single one, as the page loads it; `GET /api/sessions/:id` of the longest',
    floors: 'the shortest of these sessions',
    feels:
      'What you feel: the wait for a session that has run for a week, compared with a new one.',
    targets: {
      screenMs: atMost(50, 'ms', 'first screen, longest of all lengths'),
      screenKb: atMost(300, 'kB', 'first screen, most bytes of all lengths'),
      sessionBlockMs: atMost(
        20,
        'ms',
        'GET session at 1,000,000 events, longest block of the event loop',
      ),
      sessionMb: atMost(50, 'MB', 'GET session at 1,000,000 events, memory added'),
    },
  },
  restarts: {
    load: () => import('./scenarios/restarts.mjs'),
    rounds: 3,
    title: 'After a crash',
    what: 'the time to listening after `kill -9` with an active session of 0, 100,000 and 1,000,000 events; resuming a session of 100,000 events, and its first prompt',
    floors: 'bare Express, the agent alone',
    feels:
      'What you feel: the wait until the hub is back after a crash, and until your session goes on.',
    targets: {
      killed: atMost(3, EXPRESS, 'listening after kill -9, longest of all lengths'),
      resumeMs: atMost(100, 'ms', "resume of 100,000 events, added to the agent's own start"),
      resumedPromptMs: { unit: 'ms', what: 'first words after a resume' },
    },
  },
  prompts: {
    load: () => import('./scenarios/prompts.mjs'),
    title: 'From a prompt to the first words',
    what: 'the time from the request to the first words at a client: in a repository of 3 and of 20,000 files, and in twenty sessions of the demo agent at once',
    floors: 'the agent alone on a pipe',
    feels: 'What you feel: the pause between your prompt and the first word of the answer.',
    targets: {
      smallMs: atMost(5, 'ms', 'repository of 3 files, p50'),
      largeMs: atMost(8, 'ms', 'repository of 20,000 files, p50'),
      twentyP50: atMost(20, 'ms', '20 sessions at once, p50'),
      twentyP99: atMost(70, 'ms', '20 sessions at once, p99'),
    },
  },
  lists: {
    load: () => import('./scenarios/lists/lists.mjs'),
    rounds: 3,
    title: 'Lists and search',
    what: 'lists, filters, details and search at 100,000 sessions and 1,000,000 messages',
    floors: 'bare SQL, a hub with 100 sessions',
    feels: 'What you feel: the answer of the search field while you type, with years of sessions.',
    targets: {
      searchP50: atMost(1, '× (3 × SQL + 2 ms)', 'search, slowest kind, p50'),
      listP50: atMost(1, '× (3 × SQL + 2 ms)', 'lists and details, slowest kind, p50'),
    },
  },
  hubs: {
    load: () => import('./scenarios/hubs/hubs.mjs'),
    rounds: 3,
    title: 'PostgreSQL and several hubs',
    what: 'a hub on PostgreSQL (fsync on, on the same machine): floods, single updates, lists and search; a client that follows a session at another hub than the one that runs it; three hubs with fifty sessions each',
    floors: 'a hub on SQLite, a follower at the hub that runs the session',
    feels:
      'What you feel: a team on one database has the same quick page as a single hub, also for sessions that run on another machine.',
    targets: {
      textRate: atLeast(1, '× SQLite', 'text, 1 follower'),
      mixedRate: atLeast(1, '× SQLite', 'mixed, 1 follower'),
      textCpu: atMost(0.7, '× CPU of SQLite', "text, the hub's own processor time"),
      mixedCpu: atMost(0.7, '× CPU of SQLite', "mixed, the hub's own processor time"),
      dripP50: atMost(2.5, 'ms', 'single update, p50'),
      elsewhereP50: atMost(5, 'ms', 'follower at another hub, behind the commit, p50'),
      elsewhereP99: atMost(20, 'ms', 'follower at another hub, behind the commit, p99'),
      besideP50: atMost(5, 'ms', 'the same beside two flooding hubs, p50'),
      besideP99: atMost(20, 'ms', 'the same beside two flooding hubs, p99'),
      lost: atMost(0, 'updates', 'lost of 3 hubs × 50 sessions × 20 updates a second'),
      threeP99: atMost(100, 'ms', '3 hubs × 50 sessions × 20 updates a second, p99'),
      lists: atMost(2, '× SQLite', 'lists and details, slowest kind, p50'),
      search: atMost(2, '× SQLite', 'search, slowest kind, p50'),
    },
  },
  idle: {
    load: () => import('./scenarios/idle.mjs'),
    rounds: 3,
    title: 'Start and rest',
    what: 'the time from the start to listening, memory, the memory of each socket and stored session, processor time of an idle hub',
    floors: 'bare Express, bare Express with ws and SQLite',
    feels: 'What you feel: the start of the hub, and the fan of your machine while no agent works.',
    targets: {
      startMs: atMost(2, EXPRESS, 'from the start to listening'),
      idleCpu: atMost(0.3, '% of a core', 'processor time of an idle hub'),
      idleMb: atMost(1.3, '× Express, ws, SQLite', 'memory of an idle hub'),
      socketKb: atMost(12, 'kB', 'memory of a socket'),
      sessionKb: atMost(5, 'kB', 'memory of a stored session'),
    },
  },
  starts: {
    load: () => import('./scenarios/starts.mjs'),
    rounds: 3,
    title: 'A new session',
    what: 'a new session, cold and with a warm process, of the demo agent and of the Gemini CLI',
    floors: 'the agent alone',
    feels:
      'What you feel: the wait for a new session, with and without a process that was started in advance.',
    targets: {
      warm: atMost(0.1, '× cold', 'new session of the Gemini CLI with a warm process'),
    },
  },
  worktrees: {
    load: () => import('./scenarios/worktrees.mjs'),
    rounds: 3,
    title: 'Work trees of sessions',
    what: 'a new session with a git work tree of its own in a repository of 20,000 files, and the bytes that the snapshots of a thousand turns add',
    floors: 'bare `git worktree add`, a new session in the shared work tree',
    feels:
      'What you feel: the wait for a session that does not touch your files, and the disk that undo costs.',
    targets: {
      worktree: atMost(2, '× git worktree add', 'a work tree of 20,000 files for a new session'),
      turnKb: atMost(20, 'kB', 'snapshots of a turn that changes one file of 2 kB'),
      turnsMb: atMost(50, 'MB', 'snapshots of 1,000 such turns, as the disk counts them'),
    },
  },
  page: {
    load: () => import('./scenarios/page/page.mjs'),
    rounds: 2,
    title: 'The page',
    what: 'a session of 100,000 updates in Chromium: opening it, frames at 400 updates a second, the stability of the read position, processor time of its main thread, memory',
    floors: 'the same session in one React state with all rows mounted; an empty page',
    feels:
      'What you feel: the smoothness of scrolling while an agent writes, and the calm of the line that you read.',
    targets: {
      frameP95: atMost(25, 'ms', 'frame while updates arrive, p95'),
      longestTask: atMost(100, 'ms', 'longest task'),
      fromEnd: atMost(0, 'px', 'distance from the end while it follows'),
      drift: atMost(1, 'px', 'movement of what is read'),
      heapMb: atMost(150, 'MB', 'heap'),
    },
  },
  peers: {
    load: () => import('./scenarios/peers.mjs'),
    rounds: 3,
    title: 'Other programs',
    what: 'the same agent and the same client with other programs that relay an agent to a network, none of which stores what it relays',
    floors: '(b) readline + `JSON.parse`, plain passthroughs',
    feels:
      'The price of durability: programs that only pass lines on, beside a hub that commits every update before it sends it.',
    targets: {},
  },
}
