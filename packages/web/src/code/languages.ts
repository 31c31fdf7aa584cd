// The languages that get colours, by the ends of file names.

export const LANGUAGES = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
} as const

type Language = keyof typeof LANGUAGES

const ENDINGS: Readonly<Record<Language, string>> = {
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

/** By the whole name (`Makefile`, `.npmrc`) or by what follows its last dot. */
export function languageOf(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return BY_ENDING.get(name) ?? BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1))
}
