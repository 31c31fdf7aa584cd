// A project that installs the packed client: it compiles against the types, runs on Node.js 20 and 22, and bundles it.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installNode22 } from '../../../scripts/tools/node22.mjs'
import { layOutClient } from '../../../scripts/package-client.mjs'
import { bundle } from './bundle.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

let project: string

/** A separate project with the package as npm would install it, and the packages that its own code needs. */
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'quayside-consumer-'))
  await layOutClient(join(project, 'node_modules/@quayside/client'))
  mkdirSync(join(project, 'node_modules/@types'))
  const needed = ['react', '@types/react', '@types/node', '@types/ws', 'csstype', 'undici-types']
  for (const name of [...needed, 'ws'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }))
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

test('the packed client needs no other package of ours, and no zod', () => {
  const folder = join(project, 'node_modules/@quayside/client')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(js|d\.ts|json)$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(files.filter((text) => /@quayside\/protocol|\bzod\b/i.test(text))).toEqual([])
  const imported = files.flatMap((text) => [...text.matchAll(/ from ["']([^."'][^"']*)["']/g)])
  expect(new Set(imported.map(([, name]) => name))).toEqual(new Set(['react']))
})

test('the packed client runs on Node.js 20 and 22', async () => {
  writeFileSync(join(project, 'scripted.js'), SCRIPTED_PROGRAM)
  for (const node of [process.execPath, await installNode22()])
    expect(execFileSync(node, ['scripted.js'], { cwd: project, encoding: 'utf8' })).toBe('Hello\n')
})

test('a bundler makes one file of a page with the packed client', async () => {
  const page = join(project, 'page.js')
  writeFileSync(page, "export { AgentChatClient } from '@quayside/client'\n")
  const code = await bundle(pathToFileURL(page).href)
  expect(code).not.toMatch(/^import\b|\bimport\(|require\(|["']node:/m)
  expect(gzipSync(code).length).toBeLessThan(15_000)
})

test('a program for Node compiles with the packed package, strictly, without the types of a browser', () => {
  writeFileSync(join(project, 'program.ts'), NODE_PROGRAM)

  expect(compile(['program.ts'], { lib: ['es2023', 'esnext.disposable'], types: ['node'] })).toBe(
    '',
  )
})

// One run of the compiler for both: it takes seconds.
test('the React app of the documentation compiles with the packed package, strictly, and a wrong use does not', () => {
  const page = readFileSync(join(ROOT, 'docs/sdk.md'), 'utf8')
  const [, app] = /^```tsx\n([\s\S]*?)^```$/m.exec(page) ?? []
  writeFileSync(join(project, 'app.tsx'), app ?? 'The page has no example.')
  writeFileSync(
    join(project, 'wrong.ts'),
    `import { AgentChatClient } from '@quayside/client'
import { commandsOf } from '@quayside/client/commands'
const session = await new AgentChatClient('http://127.0.0.1:4444').openSession('s')
session.on('text_delta', (event) => event.toolCall)
session.on('no_such_event', () => {})
session.prompt({ type: 'file', name: 'a.ts' })
await commandsOf(new AgentChatClient('http://127.0.0.1:4444'))('session/nothing', {})
`,
  )

  const lib = ['es2023', 'esnext.disposable', 'dom', 'dom.iterable']
  const errors = compile(['app.tsx', 'wrong.ts'], { lib, types: [], jsx: 'react-jsx' })

  expect(errors.match(/^\S+(?=\(.*error TS)/gm)).toEqual(Array(4).fill('wrong.ts'))
})

function compile(files: readonly string[], options: Readonly<Record<string, unknown>>): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    ...options,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  try {
    execFileSync(process.execPath, [TSC, '-p', '.'], { cwd: project, encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const SCRIPTED_PROGRAM = `
import { ScriptedHub } from '@quayside/client/testing'
import '@quayside/client/admin'
import '@quayside/client/commands'
import '@quayside/client/terminals'
const hub = new ScriptedHub()
hub.agent = async (turn) => turn.say('Hello')
const client = hub.client()
console.log((await (await client.newSession({ repo: 'shop-api' })).prompt('Hi')).text)
client.close()
`

const NODE_PROGRAM = `
import { AgentChatClient, ClientError, policies, type ChatEvent, type TurnResult } from '@quayside/client'
import { commandsOf } from '@quayside/client/commands'
import { terminalsOf } from '@quayside/client/terminals'
import { ScriptedHub } from '@quayside/client/testing'
import { WebSocket } from 'ws'

await using client = new AgentChatClient({ url: 'http://127.0.0.1:4444', token: () => 't', WebSocket })
await client.connect({ signal: AbortSignal.timeout(1000) })
const session = await client.newSession({ repo: 'shop-api', agent: 'demo', config: { mode: 'code' } })
const file = { type: 'file', path: 'src/a.ts', range: [1, 9] } as const
const turn = session.prompt(['Look', file, { type: 'image', mimeType: 'image/png', uri: '/media/1' }])
for await (const event of turn) {
  if (event.type === 'text_delta') process.stdout.write(event.delta)
  if (event.type === 'tool_update') console.error(event.toolCall.title, event.toolCall.description)
  if (event.type === 'permission_request')
    await session.respond(event.permissionId, { kind: 'allow_once' })
}
const result: TurnResult = await turn
for await (const text of session.prompt(result.text).textStream()) process.stdout.write(text)
const seen: ChatEvent[] = []
const off: () => void = session.on('*', (event) => seen.push(event))
off()
client.on('sessions', (change) => console.log(change.is === 'changed' && change.removed))
client.on('connection', (now) => console.log(now.state === 'waiting' ? now.retryAt : now.state))
try {
  await session.queue.sendNow(turn.id)
} catch (error) {
  if (error instanceof ClientError && error.code === 'turn_not_waiting') await session.complete()
}
const { repos } = await commandsOf(client)('repo/list', {})
const names: string[] = repos.map(({ name }) => name)
console.log(names)
const hub = new ScriptedHub()
hub.agent = async (turn) => {
  const outcome = await turn.ask({ toolCallId: 'c1', title: 'rm' })
  turn.say(outcome.outcome)
}
const alone = hub.client({ onPermission: policies.allow('read', 'search'), reconnect: false })
await (await alone.newSession({ repo: 'shop-api' })).prompt('Go on', { when: 'now' })
for await (const event of terminalsOf(client).follow('t')) if (event.type === 'output') event.data
`
