// The declarations of the packed client, with those of the protocol beside them.
// Types that the protocol derives from zod schemas are written out, so that the package needs no zod.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { API, NodeBuilderFlags } from 'typescript/unstable/sync'
import { ROOT } from './setup.mjs'

const CLIENT = join(ROOT, 'packages', 'client', 'dist')
const PROTOCOL = join(ROOT, 'packages', 'protocol', 'dist')
const PROJECT = join(ROOT, 'node_modules', '.quayside', 'client-types')
/** Forms of schemas and commands, of no use without zod, and the addresses, which no type refers to. */
const LEFT_OUT = ['shape.d.ts', 'api/command.d.ts', 'api/addresses.d.ts']
const TABLE = 'api/commands.d.ts'

/** The compiler writes out types without parameters, so that the commands become one type by name. */
const TABLE_TYPES = `
import type * as protocol from '@quayside/protocol'
import type * as table from '@quayside/protocol/schemas'
export type Calls = {
  [Name in protocol.CommandName]: {
    readonly input: protocol.CallInput<Name>
    readonly output: protocol.CallOutput<Name>
  }
}
export type Addresses = { [Name in protocol.CommandName]: table.Addresses[Name] }
export type CallName = protocol.CallName
export type Requests = {
  [Name in protocol.SocketCommandName]: {
    readonly input: protocol.SocketInput<Name>
    readonly output: protocol.SocketOutput<Name>
  }
}
`
/** The written types name those of ACP and of events by `protocol`. */
const TABLE_READINGS = `
import type * as protocol from '@quayside/protocol'
/** Commands of REST, such as \`session/prompt\`. */
export type CommandName = keyof Calls
/** Such as \`POST /api/sessions/{sessionId}/prompt\`. */
export type CommandAddress = Addresses[CommandName]
/** The name of the command at an address. */
export type NameAt<At extends CommandAddress> = {
  [Name in CommandName as Addresses[Name]]: Name
}[At]
export type CallInput<Name extends CommandName> = Calls[Name]['input']
export type CallOutput<Name extends CommandName> = Calls[Name]['output']
/** Commands of the WebSocket, such as \`session/follow\`. */
export type SocketCommandName = keyof Requests
export type SocketInput<Name extends SocketCommandName> = Requests[Name]['input']
export type SocketOutput<Name extends SocketCommandName> = Requests[Name]['output']
`

const FORMAT =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.UseStructuralFallback |
  NodeBuilderFlags.MultilineObjectLiterals

/** Writes the client's declarations into `folder`, and the protocol's into `protocol` in it. */
export function writeClientTypes(folder) {
  const parts = declarationsIn(PROTOCOL).filter(({ path }) => !LEFT_OUT.includes(path))
  const fromSchemas = parts.filter(({ text }) => text.includes("from 'zod'"))
  const written = writeOut(fromSchemas.filter(({ path }) => path !== TABLE))
  const api = TABLE_READINGS + written.map(({ text }) => text).join('')
  const results = [
    ...declarationsIn(CLIENT),
    ...parts.map(({ path, text }) => ({
      path: join('protocol', path),
      text: fromSchemas.some((part) => part.path === path)
        ? reexport(typeNames(path === TABLE ? TABLE_TYPES + TABLE_READINGS : text), path)
        : text.replace(/^.*'\.\/shape\.js'.*\n/m, ''),
    })),
    { path: 'protocol/schemas.d.ts', text: "export type * from './api.js'\n" },
    { path: 'protocol/api.d.ts', text: api },
  ]
  for (const { path, text } of results) write(join(folder, path), besideProtocol(path, text))
}

/** Every type that these files export, without a reference to a schema. */
function writeOut(files) {
  const entryFile = join(PROJECT, 'entry.ts')
  const extended = relative(PROJECT, join(ROOT, 'tsconfig.base.json'))
  const compilerOptions = { composite: false, noEmit: true }
  const config = { extends: extended, compilerOptions, files: [entryFile] }
  write(entryFile, TABLE_TYPES)
  write(join(PROJECT, 'tsconfig.json'), JSON.stringify(config))
  const api = new API({ cwd: ROOT })
  try {
    const snapshot = api.updateSnapshot({ openProject: join(PROJECT, 'tsconfig.json') })
    const { checker, program } = snapshot.getProjects()[0]
    const entry = program.getSourceFile(entryFile)
    // A file that no type refers to is not part of the program.
    const found = files.flatMap(({ path }) => program.getSourceFile(join(PROTOCOL, path)) ?? [])
    return [entry, ...found].flatMap(({ statements, text }) =>
      statements.flatMap((statement) => {
        const declared = text.slice(statement.pos, statement.end)
        const [name] = typeNames(declared)
        if (name === undefined) return []
        const type = checker.getDeclaredTypeOfSymbol(checker.getSymbolAtLocation(statement.name))
        const [comment = ''] = /^\s*\/\*\*[\s\S]*?\*\//.exec(declared) ?? []
        const written = checker.typeToString(type, entry, FORMAT)
        return [{ name, text: `${comment}\nexport type ${name} = ${written}\n` }]
      }),
    )
  } finally {
    api.close()
  }
}

function typeNames(text) {
  return [...text.matchAll(/^export type (\w+)/gm)].map(([, name]) => name)
}

function reexport(names, path) {
  const api = relative(dirname(path), 'api.js')
  return `export type { ${names.join(', ')} } from './${api}'\n`
}

function declarationsIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
}

/** Imports the protocol from the folder beside, instead of its package. */
function besideProtocol(path, text) {
  const folder = `./${relative(dirname(path), 'protocol')}`
  return text.replaceAll(
    /(['"])@quayside\/protocol(\/schemas)?\1/g,
    (_, quote, schemas) => `${quote}${folder}/${schemas ? 'schemas' : 'index'}.js${quote}`,
  )
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
