// `quayside agents login`: signs an agent in, in the way it offers: by a key, by itself, or in a terminal that is shown here.
import { text as readAll } from 'node:stream/consumers'
import type { AgentChatClient, ExtensionDetail, Probe, Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import type { Command } from 'commander'
import { oneLine } from '../io/one-line.js'
import { ask, askSecret, isPersonHere } from '../io/ask-person.js'
import type { CommandIo } from '../io/command-io.js'
import { summarizeProbe } from './describe-probe.js'
import { CommandError, EXIT, type ExitCode } from '../io/exit-codes.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'

type Flags = HubFlags & { readonly method?: string }

type Method = {
  /** What `--method` names: a variable, or an id of the agent's. */
  readonly id: string
  readonly label: string
  readonly isKey: boolean
}

/** What a manifest's own way to sign in by a terminal is called. */
const TERMINAL_METHOD = 'terminal'

export function addAgentsLoginCommand(agents: Command, io: CommandIo): void {
  const command = agents
    .command('login')
    .description('sign an agent in: by a key, by itself, or in a terminal')
    .argument('<id>', 'which agent')
    .option('--method <method>', 'how, if it offers several ways (without it: asks)')
  addHubOption(command)
    .addHelpText('after', HELP)
    .action(async (id: string, flags: Flags) => {
      io.exitCode = await login(id, flags, io)
    })
}

const HELP = `
A key is kept by the hub, readable by you alone, and given to this agent only. Without a terminal it is read from stdin.

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
    say(io, summarizeProbe(before))
    return EXIT.agentUnavailable
  }
  const methods = methodsOf(detail, before)
  if (wanted === undefined && before.state === 'ready') {
    say(io, `${summarizeProbe(before)}. It needs no sign-in.`)
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
  say(io, summarizeProbe(after))
  return after.state === 'ready' ? EXIT.done : EXIT.failed
}

function methodsOf({ auth }: ExtensionDetail, { signInMethods }: Probe): Method[] {
  const keys = (auth?.env ?? []).map(({ name, label, url }) => ({
    id: name,
    label: url === undefined ? label : `${label} (${url})`,
    isKey: true,
  }))
  const terminal = auth?.terminal ? [{ id: TERMINAL_METHOD, label: 'In a terminal' }] : []
  // Those of its environment are the keys of the manifest, or variables that only a start of the hub can set.
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
    `${name} has no way to sign in called "${wanted}". There is:\n${describeMethods(methods)}`,
    EXIT.usage,
  )
}

async function choose(methods: readonly Method[], name: string, io: CommandIo): Promise<Method> {
  const first = requireAny(methods, name)
  if (methods.length === 1) return first
  const list = describeMethods(methods)
  if (!isPersonHere(io))
    throw new CommandError(`Say how with --method. There is:\n${list}`, EXIT.usage)
  say(io, `How do you want to sign in to ${name}?\n${list}`)
  const answer = await ask(io, `A number from 1 to ${methods.length}: `)
  const method = methods[Number(answer) - 1]
  if (method) return method
  throw new CommandError('Nothing was chosen.', EXIT.usage)
}

function requireAny([first]: readonly Method[], name: string): Method {
  if (first) return first
  throw new CommandError(`${name} says nothing of how to sign in.`, EXIT.failed)
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
  if (key === '') throw new CommandError('The key is empty.', EXIT.usage)
  return key
}

type SignIn = { readonly id: string; readonly method: Method }

async function signIn(client: AgentChatClient, { id, method }: SignIn, io: CommandIo) {
  say(io, `Signing in: ${oneLine(method.label)}. A browser may open.`)
  const { terminal } = await client.agents.authenticate(id, method.id)
  if (terminal) await showTerminal(client, terminal, io)
}

/** The terminal of the hub becomes this one, until its program ends. */
async function showTerminal(
  client: AgentChatClient,
  { id }: Terminal,
  io: CommandIo,
): Promise<void> {
  if (!isPersonHere(io))
    throw new CommandError('This way to sign in needs a terminal, and there is none.', EXIT.usage)
  await client.connect()
  const { stdin, stdout } = io
  const fit = (): void => {
    const { columns: cols, rows } = stdout
    // A size that is not taken is only ugly.
    if (cols && rows)
      terminalsOf(client)
        .resize(id, { cols, rows })
        .catch(() => undefined)
  }
  const pass = (keys: string): void => {
    terminalsOf(client)
      .write(id, keys)
      .catch((error: unknown) => say(io, String(error)))
  }
  // Resumed, because a question that was asked before has paused it.
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

function say(io: CommandIo, text: string): void {
  io.stderr.write(`${text}\n`)
}
