// The texts of the shell: the frame, sign-in, palette, and common words.
import { count } from '../../shared/text/plural.js'

export const shell = {
  appName: 'Quayside',
  common: {
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    details: 'Details',
    loading: 'Loading…',
    newSession: 'New session',
    retry: 'Try again',
    save: 'Save',
    saved: 'Saved',
    saving: 'Saving…',
    search: 'Search',
    settings: 'Settings',
    undo: 'Undo',
  },
  frame: {
    allSessions: 'All sessions',
    home: 'Quayside home',
    hideSessions: 'Hide sessions',
    more: 'Show more',
    openSessions: 'Show sessions',
    sessions: 'Sessions',
    skip: 'Skip to content',
    skipToComposer: 'Skip to the message box',
    skipToLatest: 'Skip to the latest message',
    connected: 'Connected',
    connectedAgain: 'Connected again.',
    connecting: 'Connecting…',
    running: (number: number, most: number | undefined) =>
      most === undefined
        ? `${count(number, 'agent', 'agents')} awake`
        : `${number} of ${count(most, 'agent', 'agents')} awake`,
    runningText: 'Sessions with a live agent, and their limit',
    sideWidth: 'Resize sidebar',
    offlineLong: (host: string) => `You are offline. Your agents keep working on ${host}.`,
    retryNow: 'Retry now',
    reconnecting: 'Reconnecting… Nothing is lost.',
  },
  update: {
    ready: 'A new version is ready.',
    hub: 'The hub was updated. Reload to get the new version.',
    reload: 'Reload',
  },
  signIn: {
    title: 'Sign in to Quayside',
    text: 'Open the link Quayside printed in your terminal; it signs this browser in.',
    again: 'On the computer that runs Quayside, run this for a new link:',
    label: 'Or paste the link or its code here',
    action: 'Sign in',
    unreachable: 'Can’t reach the hub',
    unreachableText:
      'Nothing is lost. Start it again on its computer; this page reconnects by itself.',
    pageTitle: 'Sign in · Quayside',
  },
  palette: {
    label: 'Command palette',
    placeholder: 'Search sessions, repositories and actions',
    none: 'No matches.',
    thisSession: 'This session',
    review: 'Review changes',
    sessions: 'Sessions',
    inside: 'In conversations',
    repos: 'Start a session',
    agents: 'Start with an agent',
    startWith: (agent: string) => `Start a session with ${agent}`,
    actions: 'Actions',
    theme: (name: string) => `Theme: ${name}`,
    goTo: (page: string) => `Settings: ${page}`,
  },
  field: {
    browse: 'Browse',
    browseTitle: 'Choose a folder',
    choose: 'Choose this folder',
    up: 'Up',
    noFolders: 'No folders in here.',
    roots: 'Root folders',
    secretSet: 'Set. Type to replace it.',
    unset: 'Default',
    required: 'required',
    range: (min: number | undefined, max: number | undefined) =>
      [min !== undefined && `at least ${min}`, max !== undefined && `at most ${max}`]
        .filter(Boolean)
        .join(', '),
  },
  missing: {
    title: 'Page not found',
    text: 'There is no page at this address. It may be from another version, or mistyped.',
    action: 'Go home',
  },
  problems: {
    unreachable: 'Can’t reach the hub. Is it running?',
    signedOut: 'You are signed out.',
    pageNotLoaded: 'This page could not be loaded. Check the network, then retry.',
    usedCode: 'This code is no longer valid. Each code works once, for 10 minutes.',
  },
} as const
