// Words that ask the person behind the client: for permission, or for facts.
import { CreateElicitationResponse, methods } from '@agentclientprotocol/sdk'
import type { ElicitationSchema } from '@agentclientprotocol/sdk'
import { askPermission } from '../permission.js'
import type { Turn } from '../turn.js'
import type { Word } from './word.js'

export const QUESTION_WORDS: readonly Word[] = [
  {
    name: 'ask',
    args: '',
    does: 'asks for permission and says which option you selected',
    run: ask,
  },
  { name: 'question', args: '', does: 'asks you to fill in a small form', run: question },
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

async function ask(turn: Turn) {
  const toolCallId = turn.newToolCallId()
  const title = 'Do nothing, with your permission'
  const answer = await askPermission(turn, { toolCallId, title, kind: 'other', status: 'pending' })
  await turn.say(answer === 'cancelled' ? answer : `selected ${answer}`)
}

async function question(turn: Turn) {
  const { client, clientCapabilities } = turn.parts
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
