// The zod schemas, an entry of their own so that no browser bundle carries them.
export * from './acp-schemas.js'
export * from './event-schemas.js'
export * from './input-schemas.js'
export * from './output-schemas.js'
export * from './repo-schemas.js'
export * from './routes.js'
export * from './storage-schemas.js'
export * from './timeline-schemas.js'
