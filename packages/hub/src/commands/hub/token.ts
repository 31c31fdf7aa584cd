// `quayside token`: who may use the hub. A new token is shown once; the hub keeps only its hash.
import type { CreatedToken, Scope, Token } from '@quayside/protocol'
import { SCOPES } from '@quayside/protocol'
import { type Command, Option } from 'commander'
import type { CommandIo } from '../io/command-io.js'
import { CommandError, EXIT } from '../io/exit-codes.js'
import { addHubOption, type HubAccess, type HubFlags, openHub } from '../io/hub-access.js'

type Json = { readonly json?: boolean }

export function defineToken(token: Command, io: CommandIo): void {
  token.addHelpText('after', HELP)
  const create = token
    .command('create')
    .description('make a token and print it, this once')
    .requiredOption('--name <name>', 'what it is for; events name it')
    .addOption(scopeOption('what it may do').default('write'))
    .option('--json', 'print JSON')
  addHubOption(create).action((flags: NewToken) => createToken(flags, io))
  const list = token
    .command('list', { isDefault: true })
    .description('list tokens and browsers that are signed in')
    .option('--json', 'print JSON')
  addHubOption(list).action((flags: HubFlags & Json) => listTokens(flags, io))
  const revoke = token
    .command('revoke')
    .description('revoke a token or sign a browser out; what it has open is closed at once')
    .argument('<token>', 'its id, the beginning of its id, or its name')
  addHubOption(revoke).action((wanted: string, flags: HubFlags) => revokeToken(wanted, flags, io))
}

export function scopeOption(description: string): Option {
  return new Option('--scope <scope>', description).choices(SCOPES)
}

const HELP = `
Scopes: read looks; write also prompts agents and answers them; admin also has tokens, settings, cleaning and terminals.

Examples:
  quayside token create --scope read --name dashboard
  export QUAYSIDE_TOKEN=$(quayside token create --name laptop)
  quayside token revoke dashboard`

type NewToken = HubFlags & Json & { readonly name: string; readonly scope: Scope }

async function createToken(wish: NewToken, io: CommandIo): Promise<void> {
  const { name, scope, json, ...flags } = wish
  await using hub = await openHub(flags, io)
  const created = await hub.call<CreatedToken>('POST', '/api/tokens', { name, scope })
  io.stdout.write(`${json ? JSON.stringify(created, null, 2) : created.token}\n`)
}

async function listTokens({ json, ...flags }: HubFlags & Json, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const tokens = await tokensOf(hub)
  if (json) io.stdout.write(`${JSON.stringify({ tokens }, null, 2)}\n`)
  else if (tokens.length === 0) io.stdout.write('No tokens, and nobody is signed in.\n')
  else io.stdout.write(`${tokens.map(describe).join('\n')}\n`)
}

async function revokeToken(wanted: string, flags: HubFlags, io: CommandIo): Promise<void> {
  await using hub = await openHub(flags, io)
  const found = (await tokensOf(hub)).filter(
    ({ id, name }) => id.startsWith(wanted) || name === wanted,
  )
  const [one] = found
  if (one === undefined)
    throw new CommandError(`There is no token "${wanted}". See: quayside token list`, EXIT.failed)
  if (found.length > 1)
    throw new CommandError(
      `Several fit "${wanted}". Say which by its id:\n${found.map(describe).join('\n')}`,
      EXIT.failed,
    )
  await hub.call('DELETE', `/api/tokens/${one.id}`)
  io.stderr.write(`Revoked ${one.name}.\n`)
}

async function tokensOf(hub: HubAccess): Promise<readonly Token[]> {
  return (await hub.call<{ tokens: Token[] }>('GET', '/api/tokens')).tokens
}

function describe({ id, kind, scope, name, lastUsedAt }: Token): string {
  const used = lastUsedAt === null ? 'never used' : `used ${lastUsedAt.slice(0, 16)}Z`
  return `${id}  ${kind.padEnd(6)}  ${scope.padEnd(5)}  ${used.padEnd(22)}  ${name}`
}
