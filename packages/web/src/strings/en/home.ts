// The texts of the first page: the next task, repositories, trust, the first visit.
import { count } from '../../shared/text/plural.js'

export const home = {
  home: {
    title: 'What should we build?',
    placeholder: 'Describe a task, @ for files',
    hint: 'Enter to start · Shift Enter for a new line',
    repo: 'Repository',
    machine: 'Machine',
    thisMachine: 'this one',
    awayMachine: (since: string) => `unreachable since ${since}`,
    runsOn: (machine: string) =>
      `Runs on ${machine}, with the agents, keys and settings of that machine.`,
    machineAway: (machine: string, since: string) =>
      `${machine} is unreachable since ${since}. Choose another machine, or start this one.`,
    agent: 'Agent',
    repos: 'Repositories',
    needsYou: (number: number) => `Needs you (${number})`,
    sessionsIn: (repo: string) => `Sessions in ${repo}`,
    repoMissing: 'This repository is no longer here',
    repoMissingText: 'It may have been moved or removed. Its sessions can still be read.',
    optionKept: (option: string) => `${option} could not be set.`,
    rescan: 'Rescan',
    rescanning: 'Rescanning…',
    noChoice: 'No matches.',
    starting: 'Starting…',
    startIn: (repo: string) => `Start a session in ${repo}`,
    workIn: (repo: string) => `Work in ${repo}`,
    slowStart: (agent: string) => `Starting ${agent}… The first start can take up to a minute.`,
    settings: (agent: string) => `Settings for this session with ${agent}`,
    sessionCount: (number: number) => count(number, 'session', 'sessions'),
    manageAgents: 'Manage agents',
    compare: 'Compare agents…',
    comparing: (number: number) => `Compare ${count(number, 'agent', 'agents')}`,
    agentCount: (number: number) => count(number, 'agent', 'agents'),
    compareNone: 'Use one agent',
    allRunning: 'End a session to make room',
    install: 'See how to install it',
    lookOnTitle: 'View only',
    lookOnText: 'You can view every session but not start one. Ask an admin for write access.',
    noReposTitle: 'No repositories here yet',
    noReposText:
      'Add a folder with a git repository to begin. Quayside looks for them under the folder it was started in.',
    noReposRoot: 'For repositories somewhere else, start it with their folder:',
  },
  inbox: {
    finished: (number: number) => `Finished since you left (${number})`,
    markRead: 'Mark all as read',
    working: (number: number) => `Working (${number})`,
    recent: 'Recent sessions',
  },
  addRepo: {
    add: 'Add',
    title: 'Add a repository',
    text: 'A folder on the hub’s computer, or the address of a git repository, which the hub clones.',
    path: 'Folder path or address',
    submit: 'Add repository',
    outside:
      'This folder is outside of the hub’s root folders. If you add it, sessions may work in its repository, and everyone with access to this hub can read it.',
    addAnyway: 'Add it anyway',
    clone: 'Clone repository',
    cloning: 'Connecting',
    cancelClone: 'Cancel cloning',
    added: (repo: string) => `Added ${repo}.`,
  },
  trust: {
    title: (repo: string) => `Trust ${repo}?`,
    changedTitle: (repo: string) => `Trust ${repo} again?`,
    text: 'Agents may run commands from this repository’s configuration. Continue only if you trust its source.',
    changedText: 'Its agent configuration changed since you trusted it.',
    files: 'Agent configuration in this repository',
    noFiles: 'No agent configuration found.',
    action: 'Trust and start',
  },
  samples: {
    tasks: [
      {
        name: 'Take the tour',
        text: 'Reads a file, proposes a change and asks you.',
        prompt:
          'Show me around: read one file, propose a small new file, and run git status. Ask before you change anything.',
      },
      {
        name: 'Explain this repository',
        text: 'What it does, and where to look first.',
        prompt:
          'Explain this repository: what it does, how it is built, and which files to read first. Change nothing.',
      },
      {
        name: 'Find a bug',
        text: 'One real problem, with a proposed fix.',
        prompt:
          'Look for one real bug in this repository. Explain how it happens, and propose the smallest fix. Ask before you change anything.',
      },
    ],
  },
  welcome: {
    title: 'Pick an agent to start with',
    looking: 'Checking which agents work on this computer…',
    found: (number: number) =>
      number === 0
        ? 'No agent is ready yet. Install one of these, then check again. The demo agent needs nothing.'
        : `Quayside looked on this computer and found ${count(number, 'agent', 'agents')} ready to use. You can add more later.`,
    others: (number: number) => `${count(number, 'other agent', 'other agents')} you can install`,
    repo: 'Choose a repository',
    task: 'Start with a task',
    continue: 'Continue',
    skip: 'Skip',
    checkAgain: 'Check again',
  },
} as const
