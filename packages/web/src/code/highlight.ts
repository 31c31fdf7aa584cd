// Syntax highlighting. highlight.js parses the code, and its syntax tree is used instead of its HTML.
// Load this file with a dynamic import: it contains every language.
import hljs from 'highlight.js/lib/core'
import { languageOf, LANGUAGES } from './languages.js'

export type CodeNode = string | { readonly scope: string; readonly children: readonly CodeNode[] }
export type CodeToken = { readonly text: string; readonly scope?: string | undefined }
export type CodeLine = readonly CodeToken[]

type TreeNode = { readonly scope?: string; readonly children: readonly (TreeNode | string)[] }

/** Longer files would block the page while they are parsed. */
const MAX_FILE_CHARACTERS = 200_000

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** The code as nested nodes; undefined when the language (a name or an alias) is unknown. */
export function highlightBlock(text: string, language: string): readonly CodeNode[] | undefined {
  if (!hljs.getLanguage(language)) return undefined
  return nodesOf(parse(text, language))
}

/** The lines of a file with their tokens; undefined when the language is unknown or the file too long. */
export function highlightFile(path: string, text: string): CodeLine[] | undefined {
  const language = languageOf(path)
  if (language === undefined || text.length > MAX_FILE_CHARACTERS) return undefined
  return linesOf(tokensOf(parse(text, language)))
}

function parse(text: string, language: string): TreeNode {
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  // The types do not declare the tree, but highlight.js makes its HTML from it.
  return (_emitter as unknown as { readonly rootNode: TreeNode }).rootNode
}

function nodesOf({ children }: TreeNode): CodeNode[] {
  return children.map((child) => {
    if (typeof child === 'string') return child
    const [scope = ''] = (child.scope ?? '').split('.')
    return { scope: scope.replaceAll(/[^\w-]/g, ''), children: nodesOf(child) }
  })
}

/** Every text with its innermost scope. */
function tokensOf({ children }: TreeNode, scope?: string): CodeToken[] {
  return children.flatMap((child) =>
    typeof child === 'string' ? [{ text: child, scope }] : tokensOf(child, scopeOf(child, scope)),
  )
}

/** `title.function` has the colour of `title`. A language inside another starts without a scope. */
function scopeOf({ scope = '' }: TreeNode, outer: string | undefined): string | undefined {
  if (scope.startsWith('language:')) return undefined
  return scope.split('.')[0] || outer
}

function linesOf(tokens: readonly CodeToken[]): CodeLine[] {
  const lines: CodeToken[][] = [[]]
  for (const { text, scope } of tokens) {
    const [first = '', ...others] = text.split(/\r?\n/)
    lines.at(-1)?.push({ text: first, scope })
    lines.push(...others.map((line) => [{ text: line, scope }]))
  }
  const isLastEmpty = lines.at(-1)?.every((token) => token.text === '')
  return isLastEmpty ? lines.slice(0, -1) : lines
}
