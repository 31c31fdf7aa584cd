// Words that ask a person for permission or for information.
import { CreateElicitationResponse, methods } from '@agentclientprotocol/sdk'
import type { ElicitationSchema, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { askPermission, isAllowed } from '../permission.js'
import type { PermissionAnswer } from '../permission.js'
import type { Turn } from '../turn.js'
import { UsageError } from './word.js'
import type { Word } from './word.js'

export const QUESTION_WORDS: readonly Word[] = [
  {
    name: 'ask',
    args: '[NAME | NAME | NAME]',
    does: 'asks for permission, with options of these names, and says which one you selected',
    run: ask,
  },
  {
    name: 'ask-call',
    args: 'JSON',
    does: 'sends the tool call with these fields, then asks for permission with nothing but its id',
    run: askCall,
  },
  {
    name: 'two-asks',
    args: '',
    does: 'asks for two permissions at the same time',
    run: twoAsks,
  },
  { name: 'withdraw', args: '', does: 'asks for permission, and takes it back', run: withdraw },
  {
    name: 'question',
    args: '[url [done]]',
    does: 'asks you to fill in a small form, or to open an address',
    run: question,
  },
]

const FORM: ElicitationSchema = {
  type: 'object',
  title: 'About your project',
  properties: {
    name: { type: 'string', title: 'What is it called?', minLength: 1, maxLength: 80 },
    language: {
      type: 'string',
      title: 'Main language',
      oneOf: [
        { const: 'ts', title: 'TypeScript' },
        { const: 'rust', title: 'Rust' },
        { const: 'other', title: 'Something else' },
      ],
      default: 'ts',
    },
    tests: { type: 'boolean', title: 'Does it have tests?', default: true },
  },
  required: ['name'],
}

async function ask(turn: Turn, args: string) {
  const names = args === '' ? [] : args.split('|').map((name) => name.trim())
  const toolCall = harmless(turn, 'Do nothing, with your permission')
  const answer = await askPermission(turn, toolCall, { names })
  await settle(turn, toolCall, answer)
  await turn.say(outcomeOf(answer))
}

async function askCall(turn: Turn, args: string) {
  const toolCallId = turn.newToolCallId()
  await turn.toolCall({ title: 'A call', ...readObject(args), toolCallId })
  const answer = await askPermission(turn, { toolCallId })
  await settle(turn, { toolCallId }, answer)
  await turn.say(outcomeOf(answer))
}

function readObject(json: string): object {
  try {
    return Object(JSON.parse(json))
  } catch {
    throw new UsageError(`"${json}" is not JSON`)
  }
}

async function twoAsks(turn: Turn) {
  const askFor = async (toolCall: ToolCallUpdate) => {
    const answer = await askPermission(turn, toolCall)
    await settle(turn, toolCall, answer)
    return answer
  }
  const [first, second] = await Promise.all([
    askFor(harmless(turn, 'Do nothing')),
    askFor(harmless(turn, 'Do nothing else')),
  ])
  await turn.say(`first ${outcomeOf(first)}, second ${outcomeOf(second)}`)
}

async function withdraw(turn: Turn) {
  const withdrawal = new AbortController()
  const signal = AbortSignal.any([turn.signal, withdrawal.signal])
  const asked = askPermission(turn, harmless(turn, 'Do nothing, or rather not'), { signal })
  const said = asked.then(
    (answer) => `You were faster: ${outcomeOf(answer)}.`,
    () => 'Never mind, I go on without.',
  )
  await turn.pause(2_000)
  withdrawal.abort()
  await turn.say(await said)
}

function harmless(turn: Turn, title: string): ToolCallUpdate {
  return { toolCallId: turn.newToolCallId(), title, kind: 'other', status: 'pending' }
}

/** The call does nothing, so it completes as soon as it is allowed. */
async function settle(turn: Turn, { toolCallId }: ToolCallUpdate, answer: PermissionAnswer) {
  if (isAllowed(answer)) await turn.toolCallUpdate({ toolCallId, status: 'completed' })
}

function outcomeOf(answer: PermissionAnswer): string {
  return answer === 'cancelled' ? answer : `selected ${answer}`
}

async function question(turn: Turn, args: string) {
  if (args === '') await askForm(turn)
  else if (args === 'url' || args === 'url done') await askToOpen(turn, args === 'url done')
  else throw new UsageError(`"${args}" is no kind of question`)
}

async function askForm(turn: Turn) {
  const { client, clientCapabilities } = turn.deps
  if (!clientCapabilities.elicitation?.form) {
    await turn.say('This client does not offer forms (elicitation.form), so I cannot ask.')
    return
  }
  const message = 'Two or three facts help me to help you.'
  const response = await client.request(
    methods.client.elicitation.create,
    { sessionId: turn.session.id, mode: 'form', message, requestedSchema: FORM },
    { cancellationSignal: turn.signal, stopWaitingOnCancel: true },
  )
  const content = CreateElicitationResponse.isAccept(response) ? response.content : undefined
  await turn.say(`${response.action}${content ? ` ${JSON.stringify(content)}` : ''}`)
}

/** With `isDone`, the page is completed elsewhere before any answer. */
async function askToOpen(turn: Turn, isDone: boolean) {
  const { client, clientCapabilities } = turn.deps
  if (!clientCapabilities.elicitation?.url) {
    await turn.say('This client does not open addresses (elicitation.url), so I cannot ask.')
    return
  }
  const elicitationId = `${turn.session.id}/${turn.newToolCallId()}`
  const message = 'Please look at this page.'
  const url = 'https://example.com/'
  const asked = client.request(
    methods.client.elicitation.create,
    { sessionId: turn.session.id, mode: 'url', elicitationId, message, url },
    { cancellationSignal: turn.signal, stopWaitingOnCancel: true },
  )
  if (isDone) {
    await turn.pause(2_000)
    await client.notify(methods.client.elicitation.complete, { elicitationId })
  }
  const { action } = await asked
  if (!isDone && action === 'accept')
    await client.notify(methods.client.elicitation.complete, { elicitationId })
  await turn.say(action)
}
