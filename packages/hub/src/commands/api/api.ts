// `quayside api`: calls a command of the table by its name, lists all of them, or describes one.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { requestOf } from '@quayside/client/admin'
import type { CommandAddress } from '@quayside/protocol'
import { parseAddress, REST_COMMANDS, type RestCommand, ROUTES } from '@quayside/protocol/schemas'
import { type Command, Help } from 'commander'
import { type CommandIo, exitWhenStdoutCloses, pathFrom } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { addHubOption, type HubFlags, requireHub } from '../io/hub-access.js'
import { describeCommand, listCommands, socketNames } from './describe-command.js'

type Flags = HubFlags & { readonly input?: string }
type Fields = Readonly<Record<string, unknown>>

const EXAMPLES = `
Examples:
  quayside api                           list all commands
  quayside api session/prompt --help     its input, answers and errors
  quayside api session/list limit=5 q=tests
  quayside api session/prompt sessionId=0199… --input prompt.json`

export function defineApi(api: Command, io: CommandIo): void {
  const named = () => api.args.find((arg) => !arg.startsWith('-'))
  api
    .argument('[command]', 'such as session/prompt')
    .argument('[fields...]', 'its input as name=value: text where it takes text, else JSON')
    .option('--input <file>', 'a file with the input as JSON; "-" reads it from stdin')
    .configureHelp({
      formatHelp: (command, helper) => {
        const name = named()
        if (name === undefined) return Help.prototype.formatHelp.call(helper, command, helper)
        const route = ROUTES.find((one) => one.name === name)
        if (route === undefined) throw unknownCommand(name)
        return describeCommand(route)
      },
    })
    .addHelpText('after', () => (named() === undefined ? EXAMPLES : ''))
  addHubOption(api).action(
    async (name: string | undefined, fields: readonly string[], flags: Flags) => {
      if (name === undefined) io.stdout.write(listCommands())
      else await call(name, fields, { flags, io })
    },
  )
}

async function call(
  name: string,
  fields: readonly string[],
  { flags, io }: { readonly flags: Flags; readonly io: CommandIo },
): Promise<void> {
  const command = requireCallable(name)
  const input = { ...(await readInput(flags, io)), ...readFields(command, fields) }
  const missing = parseAddress(command.rest).names.filter((field) => !input[field])
  if (missing.length > 0)
    throw new CommandError(
      `${name} needs ${missing.join(' and ')}. See: quayside api ${name} --help`,
      EXIT.usage,
    )
  const { path, ...request } = requestOf(command.rest as CommandAddress, input)
  await using hub = await requireHub(flags, io)
  if (command.content) {
    exitWhenStdoutCloses(io, EXIT.done)
    return pipeline(await hub.stream(path), io.stdout, { end: false })
  }
  const answer = await hub.client.http.send<unknown>(path, request)
  if (answer !== null) io.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
}

/** Throws for a command that takes a picture, or whose answer is a cookie. */
function requireCallable(name: string): RestCommand {
  const command = REST_COMMANDS.get(name)
  if (command === undefined) throw unknownCommand(name)
  const { raw, uploads, output, content, rest } = command
  if (!raw || (!uploads && (output || content))) return command
  const reason = uploads ? 'takes a file instead of fields' : 'is for browsers, which keep a cookie'
  throw new CommandError(`${name} ${reason}. Send the request yourself: ${rest}`, EXIT.usage)
}

async function readInput({ input: file }: Flags, io: CommandIo): Promise<Fields> {
  if (file === undefined) return {}
  const from = file === '-' ? 'The text on stdin' : file
  const json = await (file === '-' ? text(io.stdin) : readFile(pathFrom(io, file), 'utf8')).catch(
    (cause: Error) => {
      throw new CommandError(`${from} cannot be read: ${cause.message}`, EXIT.usage, { cause })
    },
  )
  const input = parseJson(json)
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Fields
  throw new CommandError(`${from} is not a JSON object.`, EXIT.usage)
}

function readFields({ body }: RestCommand, fields: readonly string[]): Fields {
  const read = fields.map((field): [name: string, value: unknown] => {
    const [name = '', ...rest] = field.split('=')
    if (rest.length === 0)
      throw new CommandError(`${field} is not an input. Write name=value.`, EXIT.usage)
    const value = rest.join('=')
    const schema = body?.shape[name]
    const isText = schema === undefined || schema.safeParse(value).success
    // The hub reports a value that is neither.
    return [name, isText ? value : (parseJson(value) ?? value)]
  })
  return Object.fromEntries(read)
}

function unknownCommand(name: string): CommandError {
  const message = socketNames().includes(name)
    ? `${name} is a request of the WebSocket (/ws), which docs/api.md describes.`
    : `There is no command ${name}. List them with: quayside api`
  return new CommandError(message, EXIT.usage)
}

/** Undefined for a text that is not JSON. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
