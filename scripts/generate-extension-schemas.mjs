// `npm run schemas:generate`: writes extensions/schemas from the schemas with which the hub validates extensions.
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bin, run } from './setup.mjs'

run(process.execPath, [bin('typescript', 'bin/tsc'), '-b'])
const { extensionJsonSchemas } =
  await import('../packages/hub/dist/agents/extensions/extension-json-schemas.js')
const folder = fileURLToPath(new URL('../extensions/schemas/', import.meta.url))
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(extensionJsonSchemas()))
  writeFileSync(folder + name, JSON.stringify(schema, null, 2))
run(process.execPath, [bin('oxfmt', 'bin/oxfmt'), folder])
