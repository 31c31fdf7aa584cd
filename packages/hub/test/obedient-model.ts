// A model that follows the prompts of `agents check`, and nothing else.
import type { ModelRequest, Reply, ReplyPart } from './model-server.js'

const RULES: readonly [RegExp, (found: readonly string[], request: ModelRequest) => ReplyPart[]][] =
  [
    [/^Write the numbers/, () => ['one\n', 'two\n', 'three\n'].map((text) => ({ text }))],
    [/^Answer with exactly this word.*: (\S+)$/, ([word = '']) => [{ text: word }]],
    [
      /^Create the file (\S+)/,
      ([file]) => [call('write_file', { file_path: file, content: 'quayside\n' })],
    ],
    [
      /^Run exactly this shell command.*?: (.+)$/,
      ([command]) => [call('run_shell_command', { command })],
    ],
    [/^Remember this word/, () => [{ text: 'ok' }]],
    [/^Which word/, (_, request) => [{ text: rememberedWord(request) ?? 'I do not know it.' }]],
  ]

/** A round of tool results ends the turn. */
export function obey(request: ModelRequest): Reply {
  const parts = request.contents.at(-1)?.parts ?? []
  if (parts.some(({ functionResponse }) => functionResponse !== undefined))
    return [{ text: 'Done.' }]
  for (const { text = '' } of parts)
    for (const [pattern, reply] of RULES) {
      const found = pattern.exec(text)
      if (found) return reply(found.slice(1), request)
    }
  return { status: 400, message: 'This is none of the prompts of the check.' }
}

function rememberedWord({ contents }: ModelRequest): string | undefined {
  const texts = contents.flatMap(({ parts = [] }) => parts).map(({ text = '' }) => text)
  return texts.flatMap((text) => /^Remember this word.*: (\w+)\./.exec(text)?.[1] ?? []).at(-1)
}

function call(name: string, args: Readonly<Record<string, unknown>>): ReplyPart {
  return { call: { name, args } }
}
