// The texts of the tour: pure functions from facts to Markdown.
import type { ContentBlock } from '@agentclientprotocol/sdk'
import type { Failed } from '../tool-calls.js'

export type ReadFact =
  | { readonly is: 'nothing' }
  | { readonly is: 'read'; readonly name: string; readonly lines: number }
  | (Failed & { readonly name: string })

export type EditFact = { readonly is: 'written' | 'rejected' | 'unanswered' } | Failed

export const THOUGHT =
  'Someone new is here. The best welcome is to show, not tell: I will look at the project, ' +
  'propose a small change, run a command, and then explain what happened on the screen.'

export const STEPS = [
  'Read something in this project',
  'Propose a small change, and ask first',
  'Run a command',
  'Explain what you just saw',
]

export function greeting(prompt: readonly ContentBlock[]): string {
  const attached = prompt.filter((block) => block.type !== 'text').length
  const thanks = attached === 0 ? '' : ` (Thank you for the ${attached} attached, I got it.)`
  return `Welcome aboard!${thanks} I am the demo agent: a real agent with a script where others have a model. Let me show you around. First, a look at this project.\n\n`
}

export function afterReading(fact: ReadFact): string {
  return `${whatWasRead(fact)} Next I would like to add a small file. Nothing is written before **you** decide.\n\n`
}

function whatWasRead(fact: ReadFact): string {
  if (fact.is === 'nothing') return 'There is no file here that I could read, and that is fine.'
  if (fact.is === 'read') return `I read \`${fact.name}\` (${fact.lines} lines).`
  return `I could not read \`${fact.name}\`, and that is fine: you see the reason above.`
}

export function afterEdit(name: string, fact: EditFact): string {
  const said = {
    written: `Thank you! \`${name}\` is there now; delete it whenever you like.`,
    rejected: `You said no, so I did not write \`${name}\`. That is what the question is for.`,
    unanswered: `Nobody answered, so I did not write \`${name}\`. That is the safe choice.`,
    failed: `You agreed, but writing \`${name}\` did not work; the reason is above.`,
  }
  return `${said[fact.is]} Now a command, so that you see a terminal.\n\n`
}

/** The file the tour offers to write; later tours add a line. */
export function demoFile(oldText: string | undefined, now: Date): string {
  const start =
    oldText ??
    '# Hello from Quayside\n\nThe demo agent wrote this file because you allowed it. It is safe to delete.\n\n'
  return `${start}- A tour on ${now.toISOString()}\n`
}

export function farewell({ ran, edit }: { ran: string; edit: EditFact }): string {
  const asked = edit.is === 'written' ? 'you allowed it' : 'nothing was changed'
  return `The command ${ran}.

## What you just saw

| On the screen | In the protocol |
|---|---|
| My reasoning, folded away | \`agent_thought_chunk\` |
| The list of steps, ticked off one by one | \`plan\` |
| A file, a diff and a command | \`tool_call\`, \`tool_call_update\` |
| The question before the edit (${asked}) | \`session/request_permission\` |
| This text, as it was written | \`agent_message_chunk\` |

All of it is in the **event log** of this session, numbered without gaps. Close this page, come back on your phone, open it twice: everyone reads the same log, and the work goes on without you.

## Try next

- \`help\` lists my script words. \`plan\`, \`tools\`, \`ask\` and \`image\` are good ones; \`drip 20 200\` streams slowly, so you can watch it in two windows.
- \`slow 30\`, then press **Stop**: a cancelled turn is a normal end.
- \`crash\`: I die, the session stays. Resume it and say \`recall\`.

The same session from a script, over REST (\`QUAYSIDE_URL\` is the address of this page, such as \`http://127.0.0.1:4444\`):

\`\`\`sh
curl "$QUAYSIDE_URL/api/sessions/$SESSION_ID/prompt" \\
  -H "Authorization: Bearer $QUAYSIDE_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{ "text": "echo hello from curl" }'

curl "$QUAYSIDE_URL/api/sessions/$SESSION_ID/events?after=0" \\
  -H "Authorization: Bearer $QUAYSIDE_TOKEN"
\`\`\`

When you are ready for real work, start a session with Gemini, Claude, Codex or another agent. It will look just like this.
`
}
