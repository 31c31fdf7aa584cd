// `quayside sessions answer`: prints the oldest open permission or question of a session, or answers it.
import type { AgentSession, PendingPermission, PendingQuestion } from '@quayside/client'
import { newToolCall, readQuestionFields, readToolCall } from '@quayside/protocol'
import type { Command } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { describeDiffs, describeRequest } from '../io/describe-tool.js'
import { CommandError, EXIT, type ExitCode } from '../io/exit-codes.js'
import { requireSessionId } from '../io/find-session.js'
import { type HubFlags, requireHub } from '../io/hub-access.js'
import { oneLine } from '../io/one-line.js'

type AnswerFlags = HubFlags & { readonly json?: boolean }
type AnswerInput = { readonly wanted: string; readonly answer: string | undefined }

/** `command` has the session as its first argument. */
export function defineAnswer(command: Command, io: CommandIo): void {
  command
    .argument('[answer]', 'the answer (default: print the request)')
    .option('--json', 'print the open requests as JSON')
    .addHelpText('after', HELP)
    .action(async (wanted: string, answer: string | undefined, flags: AnswerFlags) => {
      io.exitCode = await answerOldest({ wanted, answer }, flags, io)
    })
}

const HELP = `
A permission is answered with the number, the id, the kind or the name of an
option, or with "cancel". A question is answered with "accept", "decline" or
"cancel", or with the fields of its form as a JSON object.

Examples:
  quayside sessions answer -
  quayside sessions answer - allow_once
  quayside sessions answer 7d1f0c '{"name": "shop"}'

Exit code: 0 answered, or nothing is open; 1 failed; 2 no such answer; 3 needs a
decision; 7 the hub cannot be reached.`

async function answerOldest(
  { wanted, answer }: AnswerInput,
  flags: AnswerFlags,
  io: CommandIo,
): Promise<ExitCode> {
  await using hub = await requireHub(flags, io)
  const session = await hub.client.openSession(await requireSessionId(hub, wanted))
  const [permissions, questions] = await Promise.all([session.permissions(), session.questions()])
  const [permission] = permissions
  const [question] = questions
  const isPermission =
    permission && (question === undefined || permission.requestedAt <= question.askedAt)
  if (answer !== undefined) {
    if (isPermission) await answerPermission(session, permission, answer)
    else if (question) await session.answer(question.questionId, readQuestionAnswer(answer))
    else throw new CommandError('The agent asks nothing.', EXIT.failed)
    io.stderr.write('Answered.\n')
    return EXIT.done
  }
  if (flags.json) io.stdout.write(`${JSON.stringify({ permissions, questions }, null, 2)}\n`)
  else if (isPermission) io.stdout.write(`${describePermission(permission, io)}\n`)
  else if (question) io.stdout.write(`${describeQuestion(question)}\n`)
  else io.stdout.write('The agent asks nothing.\n')
  return permission || question ? EXIT.needsDecision : EXIT.done
}

async function answerPermission(
  session: AgentSession,
  permission: PendingPermission,
  answer: string,
): Promise<void> {
  const { permissionId, options } = permission
  if (answer === 'cancel') {
    await session.respond(permissionId, { outcome: 'cancelled' })
    return
  }
  const option =
    options.find(({ optionId, kind, name }) => [optionId, kind, name].includes(answer)) ??
    options[Number(answer) - 1]
  if (option === undefined)
    throw new CommandError(
      `There is no option "${answer}". The options are:\n${choicesOf(options).join('\n')}`,
      EXIT.usage,
    )
  await session.respond(permissionId, option.optionId)
}

function readQuestionAnswer(answer: string): Parameters<AgentSession['answer']>[1] {
  if (answer === 'accept' || answer === 'decline' || answer === 'cancel') return { action: answer }
  try {
    return { action: 'accept', content: JSON.parse(answer) as Record<string, unknown> }
  } catch (cause) {
    throw new CommandError(
      'Answer a question with "accept", "decline" or "cancel", or with its fields as a JSON object.',
      EXIT.usage,
      { cause },
    )
  }
}

function describePermission(
  { toolCall, options }: PendingPermission,
  { stdout }: CommandIo,
): string {
  const call = newToolCall(readToolCall(toolCall) ?? { toolCallId: toolCall.toolCallId })
  return [describeRequest(call), ...describeDiffs(call, stdout), ...choicesOf(options)].join('\n')
}

function choicesOf(options: PendingPermission['options']): string[] {
  return options.map(
    ({ name, optionId }, at) => `  ${at + 1} ${oneLine(name)} (${oneLine(optionId)})`,
  )
}

function describeQuestion({ message, url, requestedSchema }: PendingQuestion): string {
  const fields = readQuestionFields(requestedSchema).map(
    ({ id, label, isRequired }) =>
      `  ${oneLine(id)}${isRequired ? ' (required)' : ''}: ${oneLine(label)}`,
  )
  return [oneLine(message), ...(url === undefined ? [] : [`  ${oneLine(url)}`]), ...fields].join(
    '\n',
  )
}
