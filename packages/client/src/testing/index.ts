// The public list of @quayside/client/testing: a hub in memory, for tests without a server.
export { ScriptedHub } from './scripted-hub.js'
export type { ScriptedAnswer, ScriptedRequest } from './scripted-hub.js'
export type { ScriptedCommands } from './scripted-commands.js'
export { ScriptedSession } from './scripted-session.js'
export type { ScriptedAgent } from './scripted-session.js'
export { ScriptedTurn } from './scripted-turn.js'
