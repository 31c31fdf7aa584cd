// Colours for code, loaded when the first block is complete. What highlight.js finds is taken as a tree, never as HTML.
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

export type CodeNode = string | { readonly scope: string; readonly children: readonly CodeNode[] }

type TreeNode = { readonly scope?: string; readonly children: readonly (TreeNode | string)[] }

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Undefined when the language is not known. */
export function highlight(text: string, language: string): readonly CodeNode[] | undefined {
  if (!hljs.getLanguage(language)) return undefined
  const { _emitter } = hljs.highlight(text, { language, ignoreIllegals: true })
  // The emitter's tree is not in the types, but it is what the HTML is made from.
  return nodesOf((_emitter as unknown as { readonly rootNode: TreeNode }).rootNode)
}

function nodesOf({ children }: TreeNode): CodeNode[] {
  return children.map((child) => {
    if (typeof child === 'string') return child
    const [scope = ''] = (child.scope ?? '').split('.')
    return { scope: scope.replaceAll(/[^\w-]/g, ''), children: nodesOf(child) }
  })
}
