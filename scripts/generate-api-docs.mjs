// `npm run docs:generate`: writes docs/api.md from the table of commands, the schemas and scripts/api.template.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { bin, run } from './setup.mjs'

run(process.execPath, [bin('typescript', 'bin/tsc'), '-b'])
const { apiMarkdown } = await import('../packages/hub/dist/http/docs/api-markdown.js')
const template = readFileSync(new URL('./api.template.md', import.meta.url), 'utf8')
writeFileSync(new URL('../docs/api.md', import.meta.url), apiMarkdown(template))
