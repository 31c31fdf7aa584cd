// The JSON Schemas of an extension's files, for editors. `npm run schemas:generate` writes them to extensions/schemas.
import { settingsSchemaFileSchema } from '@quayside/protocol/schemas'
import { z } from 'zod'
import { registrySchema } from './extensions.js'
import { manifestSchema } from './manifest.js'

/** Keyed by file name. */
export function extensionJsonSchemas(): Readonly<Record<string, unknown>> {
  return {
    'extensions.schema.json': publish('The extensions of a folder', registrySchema),
    'manifest.schema.json': publish('How one kind of agent is launched', manifestSchema),
    'settings.schema.json': publish('The settings of one kind of agent', settingsSchemaFileSchema),
  }
}

/** The input side of the schema: fields with a default are optional. */
function publish(title: string, schema: z.ZodType): unknown {
  return { title, ...z.toJSONSchema(schema, { io: 'input' }) }
}
