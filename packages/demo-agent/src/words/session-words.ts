// Words about the session itself: its title, mode, usage and memory, and one picture.
import { promptText } from '../sessions/conversation.js'
import { FLAG_PNG } from '../flag-png.js'
import { configOptionsOf, isMode } from '../sessions/session-options.js'
import { AUTH_STATUS } from '../sign-in.js'
import type { Turn } from '../turn.js'
import { requireText, UsageError } from './word.js'
import type { PromptExtras, Word } from './word.js'

export const SESSION_WORDS: readonly Word[] = [
  { name: 'title', args: 'T', does: 'gives the session a title', run: title },
  { name: 'mode', args: '[ask|code]', does: 'switches the mode', run: mode },
  {
    name: 'usage',
    args: '',
    does: 'reports the context window, the cost and the tokens',
    run: usage,
  },
  {
    name: 'auth-status',
    args: 'KIND',
    does: 'reports how it is signed in; "none" means that it is not',
    run: authStatus,
  },
  { name: 'image', args: '', does: 'answers with a picture', run: image },
  { name: 'recall', args: '', does: 'lists the prompts of this session it remembers', run: recall },
]

async function title(turn: Turn, args: string) {
  const text = requireText(args)
  turn.session.conversation.title = text
  const updatedAt = new Date().toISOString()
  await turn.update({ sessionUpdate: 'session_info_update', title: text, updatedAt })
  await turn.say(`This session is now called "${text}".`)
}

async function mode(turn: Turn, args: string) {
  const { conversation } = turn.session
  const modeId = args || (conversation.modeId === 'ask' ? 'code' : 'ask')
  if (!isMode(modeId)) throw new UsageError(`"${modeId}" is no mode`)
  conversation.modeId = modeId
  await turn.update({ sessionUpdate: 'current_mode_update', currentModeId: modeId })
  if (turn.deps.settings.models === 'options') {
    const configOptions = configOptionsOf(conversation)
    await turn.update({ sessionUpdate: 'config_option_update', configOptions })
  }
  await turn.say(`The mode is now ${modeId}.`)
}

async function usage(turn: Turn): Promise<PromptExtras> {
  const cost = { amount: 0.0042, currency: 'USD' }
  await turn.update({ sessionUpdate: 'usage_update', used: 1_234, size: 200_000, cost })
  await turn.say('1234 of 200000 tokens are in use.')
  return { usage: { totalTokens: 1_234, inputTokens: 1_200, outputTokens: 34 } }
}

async function authStatus(turn: Turn, args: string) {
  const kind = requireText(args)
  const label = kind === 'none' ? 'Not logged in' : `Signed in by ${kind}`
  await turn.deps.client.notify(AUTH_STATUS, { authStatus: { kind, label } })
  await turn.say(`The sign-in is now ${kind}.`)
}

async function image(turn: Turn) {
  await turn.update({
    sessionUpdate: 'agent_message_chunk',
    content: { type: 'image', data: FLAG_PNG, mimeType: 'image/png' },
  })
}

async function recall(turn: Turn) {
  const earlier = turn.session.conversation.turns
    .slice(0, -1)
    .map(({ prompt }) => promptText(prompt))
  await turn.say(
    earlier.length === 0
      ? 'I remember no earlier prompts.'
      : `I remember ${earlier.length}:\n${earlier.map((text, index) => `${index + 1}. ${text}`).join('\n')}`,
  )
}
