// `quayside agents login`: signs in to an agent, by API key, by the agent itself, or in a terminal that is shown here.
import { text as readAll } from 'node:stream/consumers'
import type { AgentChatClient, ExtensionDetail, Probe, Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import type { Command } from 'commander'
import { oneLine } from '../io/one-line.js'
import { ask, askSecret, isAtTerminal } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { summarizeProbe } from './describe-probe.js'
import { CommandError, EXIT, type ExitCode } from '../io/exit-codes.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'

type Flags = HubFlags & { readonly method?: string }

type Method = {
  /** The value of `--method`: an environment variable, or the agent's id of a method. */
  readonly id: string
  readonly label: string
  readonly isKey: boolean
}

/** The id of the method that a manifest defines with `auth.terminal`. */
const TERMINAL_METHOD = 'terminal'

export function addAgentsLoginCommand(agents: Command, io: CommandIo): void {
  const command = agents
    .command('login')
    .description('sign in to an agent: with a key, by the agent itself, or in a terminal')
    .argument('<id>', 'id of the agent')
    .option('--method <method>', 'sign-in method, if the agent has several (default: ask)')
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (id: string, flags: Flags) => {
      io.exitCode = await login(id, flags, io)
    })
}

const HELP = `
The hub stores a key readable by you alone and passes it to this agent only.
Without a terminal the key is read from stdin.

Examples:
  quayside agents login gemini
  quayside agents login gemini --method GEMINI_API_KEY < key.txt

Exit code: 0 the agent is ready, 1 it is not, 2 wrong usage, 5 not installed.`

async function login(
  id: string,
  { method: wanted, ...flags }: Flags,
  io: CommandIo,
): Promise<ExitCode> {
  await using hub = await openHub(flags, io)
  const { agents } = hub.client
  const [detail, before] = await Promise.all([agents.get(id), agents.probe(id)])
  if (before.state === 'not_installed') {
    note(io, summarizeProbe(before))
    return EXIT.agentUnavailable
  }
  const methods = methodsOf(detail, before)
  if (wanted === undefined && before.state === 'ready') {
    note(io, `${summarizeProbe(before)}. No sign-in is needed.`)
    return EXIT.done
  }
  const method =
    wanted === undefined
      ? await choose(methods, detail.name, io)
      : requireMethod(methods, wanted, detail.name)
  if (method.isKey)
    await hub.client.agents.changeSettings(id, { [method.id]: await readKey(method, io) })
  else await signIn(hub.client, { id, method }, io)
  const after = await agents.probe(id)
  note(io, summarizeProbe(after))
  return after.state === 'ready' ? EXIT.done : EXIT.failed
}

function methodsOf({ auth }: ExtensionDetail, { signInMethods }: Probe): Method[] {
  const keys = (auth?.env ?? []).map(({ name, label, url }) => ({
    id: name,
    label: url === undefined ? label : `${label} (${url})`,
    isKey: true,
  }))
  const terminal = auth?.terminal ? [{ id: TERMINAL_METHOD, label: 'In a terminal' }] : []
  // Environment methods are left out: they are keys of the manifest, or variables to set before the hub starts.
  const own = signInMethods.flatMap(({ id, name, how }) =>
    how === 'environment' ? [] : [{ id, label: name }],
  )
  return [...keys, ...[...terminal, ...own].map((method) => ({ ...method, isKey: false }))]
}

function requireMethod(methods: readonly Method[], wanted: string, name: string): Method {
  requireAny(methods, name)
  const method = methods.find(({ id }) => id === wanted)
  if (method) return method
  throw new CommandError(
    `${name} has no sign-in method "${wanted}". Choose one of:\n${describeMethods(methods)}`,
    EXIT.usage,
  )
}

async function choose(methods: readonly Method[], name: string, io: CommandIo): Promise<Method> {
  const first = requireAny(methods, name)
  if (methods.length === 1) return first
  const list = describeMethods(methods)
  if (!isAtTerminal(io))
    throw new CommandError(`Choose a sign-in method with --method:\n${list}`, EXIT.usage)
  note(io, `How do you want to sign in to ${name}?\n${list}`)
  const answer = await ask(io, `A number from 1 to ${methods.length}: `)
  const method = methods[Number(answer) - 1]
  if (method) return method
  throw new CommandError('No method was chosen. Answer with one of the numbers.', EXIT.usage)
}

function requireAny([first]: readonly Method[], name: string): Method {
  if (first) return first
  throw new CommandError(
    `${name} offers no sign-in method. See its own documentation.`,
    EXIT.failed,
  )
}

function describeMethods(methods: readonly Method[]): string {
  return methods
    .map(({ id, label }, at) => `  ${at + 1} ${oneLine(label)}: ${oneLine(id)}`)
    .join('\n')
}

async function readKey({ id: name, label }: Method, io: CommandIo): Promise<string> {
  const key = io.stdin.isTTY
    ? await askSecret(io, `${oneLine(label)} (${name}), not shown: `)
    : (await readAll(io.stdin)).trim()
  if (key === '')
    throw new CommandError('The key is empty. Type it, or pipe it to stdin.', EXIT.usage)
  return key
}

type SignIn = { readonly id: string; readonly method: Method }

async function signIn(client: AgentChatClient, { id, method }: SignIn, io: CommandIo) {
  note(io, `Signing in: ${oneLine(method.label)}. A browser may open.`)
  const { terminal } = await client.agents.authenticate(id, method.id)
  if (terminal) await showTerminal(client, terminal, io)
}

/** Shows a terminal of the hub in this terminal until its program exits. */
async function showTerminal(
  client: AgentChatClient,
  { id }: Terminal,
  io: CommandIo,
): Promise<void> {
  if (!isAtTerminal(io))
    throw new CommandError(
      'This sign-in method needs a terminal. Run the command at one.',
      EXIT.usage,
    )
  await client.connect()
  const { stdin, stdout } = io
  const fit = (): void => {
    const { columns: cols, rows } = stdout
    // A wrong size is only a cosmetic problem.
    if (cols && rows)
      terminalsOf(client)
        .resize(id, { cols, rows })
        .catch(() => undefined)
  }
  const pass = (keys: string): void => {
    terminalsOf(client)
      .write(id, keys)
      .catch((error: unknown) => note(io, String(error)))
  }
  // An earlier question may have paused stdin.
  stdin.setRawMode?.(true)
  stdin.setEncoding('utf8').on('data', pass).resume()
  stdout.on('resize', fit)
  fit()
  try {
    for await (const event of terminalsOf(client).follow(id))
      if (event.type === 'output') stdout.write(event.data)
  } finally {
    stdin.setRawMode?.(false)
    stdin.off('data', pass).pause()
    stdout.off('resize', fit)
  }
}

function note(io: CommandIo, text: string): void {
  io.stderr.write(`${text}\n`)
}
