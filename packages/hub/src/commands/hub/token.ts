// `quayside token`: tokens that let programs use the hub. A new token is shown once; the hub stores only its hash.
import { Devices } from '@quayside/client/admin'
import type { Scope, Token } from '@quayside/protocol'
import { SCOPES } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { ago } from '../io/describe-time.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { isPartOfId } from '../io/find-session.js'
import { addHubOption, type HubFlags, openHub } from '../io/hub-access.js'

type Json = { readonly json?: boolean }

export function defineToken(token: Command, io: CommandIo): void {
  token.addHelpText('after', HELP)
  const create = token
    .command('create')
    .description('create a token and print it; it is shown only once')
    .requiredOption('--name <name>', 'name of the token, shown in the log')
    .addOption(scopeOption('scope of the token').default('write'))
    .option('--json', 'print JSON')
  addHubOption(create).action((flags: CreateFlags) => createToken(flags, io))
  const list = token
    .command('list', { isDefault: true })
    .description('list tokens and signed-in browsers')
    .option('--json', 'print JSON')
  addHubOption(list).action((flags: HubFlags & Json) => listTokens(flags, io))
  const revoke = token
    .command('revoke')
    .description('revoke a token or sign out a browser; its connections are closed at once')
    .argument('<token>', 'its id, the beginning or end of its id, or its name')
  addHubOption(revoke).action((wanted: string, flags: HubFlags) => revokeToken(wanted, flags, io))
}

export function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(SCOPES)
}

const HELP = `
Scopes: read sees everything; write also prompts agents and answers them; admin
also manages tokens, settings, storage and terminals.

Examples:
  quayside token create --scope read --name dashboard
  export QUAYSIDE_TOKEN=$(quayside token create --name laptop)
  quayside token revoke dashboard`

type CreateFlags = HubFlags & Json & { readonly name: string; readonly scope: Scope }

async function createToken(input: CreateFlags, io: CommandIo): Promise<void> {
  const { name, scope, json, ...flags } = input
  await using hub = await openHub(flags, io)
  const created = await new Devices(hub.client).createToken({ name, scope })
  io.stdout.write(`${json ? JSON.stringify(created, null, 2) : created.token}\n`)
}

async function listTokens({ json, ...flags }: HubFlags & Json, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const tokens = await new Devices(hub.client).list()
  if (json) io.stdout.write(`${JSON.stringify({ tokens }, null, 2)}\n`)
  else if (tokens.length === 0) io.stdout.write('No tokens, and no signed-in browsers.\n')
  else io.stdout.write(`${tokens.map(describe).join('\n')}\n`)
}

async function revokeToken(wanted: string, flags: HubFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const devices = new Devices(hub.client)
  const tokens = await devices.list()
  const found = tokens.filter(({ id, name }) => isPartOfId(id, wanted) || name === wanted)
  const [one] = found
  if (one === undefined)
    throw new CommandError(`No token matches "${wanted}". See: quayside token list`, EXIT.failed)
  if (found.length > 1)
    throw new CommandError(
      `Several tokens match "${wanted}". Use the id of one:\n${found.map(describe).join('\n')}`,
      EXIT.failed,
    )
  await devices.revoke(one.id)
  io.stderr.write(`Revoked ${one.name}.\n`)
}

function describe({ id, kind, scope, name, lastUsedAt }: Token): string {
  const used = lastUsedAt === null ? 'never used' : `used ${ago(lastUsedAt)}`
  return `${id}  ${kind.padEnd(6)}  ${scope.padEnd(5)}  ${used.padEnd(16)}  ${name}`
}
