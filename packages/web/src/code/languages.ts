// The programming languages that are highlighted, and the file names that each of them has.
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scss from 'highlight.js/lib/languages/scss'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

export const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

type Language = keyof typeof LANGUAGES

/** `shell` is a terminal session in a Markdown block; no file is one. */
const ENDINGS: Readonly<Record<Exclude<Language, 'shell'>, string>> = {
  bash: 'sh bash zsh .bashrc .zshrc .profile',
  c: 'c h',
  cpp: 'cpp cc cxx hpp hh',
  csharp: 'cs',
  css: 'css',
  diff: 'diff patch',
  dockerfile: 'dockerfile',
  go: 'go',
  ini: 'ini toml cfg conf .editorconfig .gitconfig .npmrc',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonc jsonl webmanifest',
  kotlin: 'kt kts',
  makefile: 'makefile mk',
  markdown: 'md markdown mdx',
  php: 'php',
  python: 'py pyi',
  ruby: 'rb gemfile rakefile',
  rust: 'rs',
  scss: 'scss sass',
  sql: 'sql prisma',
  swift: 'swift',
  typescript: 'ts mts cts tsx',
  xml: 'html htm xml svg vue svelte',
  yaml: 'yaml yml',
}

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language as Language]),
  ),
)

/** Looks up the whole name (`Makefile`, `.npmrc`), then the extension. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_ENDING.get(name) ?? BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1))
}
