// The texts of forks of a session.

export const fork = {
  forkHere: 'Fork from here',
  aboutFork: 'A new session with this conversation and these files, on a branch of its own',
  forkSession: 'Fork this session',
  forking: 'Forking…',
  openOther: 'Open the other session',
  showPrimer: 'Show the text',
  primerTitle: 'What the agent gets',
  aboutPrimer:
    'This text comes before your next message. The agent does not remember it otherwise.',
  primerSent: 'The agent has got the text already.',
  editAgain: 'Edit and resend',
  aboutEditing:
    'The changed message starts a fork with the files as they were before it. This conversation and its files stay as they are.',
  message: 'Message',
  sendInFork: 'Send in a fork',
  asNewMessage: 'Use as a new message',
}
