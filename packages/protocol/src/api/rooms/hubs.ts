// Declares the commands for the hub itself, for the hubs that share its database, and for media.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'
import { described, optional } from '../fields.js'

/** Pictures that may be uploaded and shown. Never SVG, HTML or PDF: opened as a page they can carry script. */
export const PICTURE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]

export const healthSchema = z.object({
  status: z.literal('ok'),
  version: z.string(),
  command: optional(
    z.string(),
    'How the command of this hub is called on its computer: `quayside`, or through npm.',
  ),
})
export type Health = Shape<typeof healthSchema>

export const mediaSchema = z.object({
  id: z.string(),
  url: z.string().describe('The `uri` of an image block.'),
  mimeType: z.string(),
  byteLength: z.int().min(0),
})
/** An uploaded picture; its `url` goes into an image block as its `uri`. */
export type Media = Shape<typeof mediaSchema>

export const errorBodySchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: optional(z.record(z.string(), z.unknown())),
  }),
})
export type ErrorBody = Shape<typeof errorBodySchema>

/** This hub, another one that can be reached, and one that does not answer. */
export const HUB_STATES = ['here', 'elsewhere', 'away'] as const

/** The machine that a session, a repository or a terminal is on. */
export const hubPlaceSchema = z.object({
  id: z.string().describe('Of the machine: the same after each start of its hub.'),
  name: z.string().describe('The name of the machine, as `quayside start --name` gives it.'),
  state: described(
    z.enum(HUB_STATES),
    '`here` is the hub that carries the command out, `elsewhere` another one that runs, `away` one that does not.',
  ),
  since: optional(z.iso.datetime(), 'When a hub that is away was last seen. Only with `away`.'),
})
export type HubPlace = Shape<typeof hubPlaceSchema>

/** In lists of repositories. */
export const placesOfRepo = {
  hub: optional(
    hubPlaceSchema,
    'The machine that it is on. Only in lists, and absent when the hub has its database to itself.',
  ),
  hubs: optional(
    z.array(hubPlaceSchema),
    'All machines that have it, when it is on a volume of several. Only in lists.',
  ),
}

/** For a repository that several machines have. */
export const chosenHub = {
  hub: optional(
    z.string().min(1),
    'Id or name of the machine to run on, one of `hubs` of the repository. By default the machine that is asked, if it has the repository.',
  ),
}

export const hubSchema = hubPlaceSchema.extend({
  version: z.string(),
  address: optional(
    z.string(),
    'Where the other hubs reach it. Absent for one that has no database to share.',
  ),
  startedAt: z.iso.datetime(),
  activeSessions: optional(
    z.number().int(),
    'The sessions that it runs. Absent in answers of older hubs.',
  ),
  draining: optional(
    z.literal(true),
    'It is being emptied, and takes no new sessions and prompts.',
  ),
})
/** A machine with a hub. */
export type KnownHub = Shape<typeof hubSchema>
export const hubListSchema = z.object({ hubs: z.array(hubSchema) })

export const drainSchema = z.object({
  cancel: z.boolean().optional().describe('Take work again instead.'),
})

export const hubCommands = {
  'hub/health': {
    rest: 'GET /api/health',
    operationId: 'getHealth',
    scope: 'read',
    raw: true,
    summary: 'Health check',
    isPublic: true,
    response: 'The hub is running.',
    output: healthSchema,
  },
  'hub/openapi': {
    rest: 'GET /api/openapi.json',
    operationId: 'getOpenApi',
    scope: 'read',
    raw: true,
    summary: 'The OpenAPI document',
    response: 'An OpenAPI 3.1 document.',
    output: z.looseObject({ openapi: z.string() }),
  },
  'hub/docs': {
    rest: 'GET /api/docs',
    operationId: 'getDocs',
    scope: 'read',
    raw: true,
    summary: 'The API documentation as a web page',
    response: 'The page.',
    content: { 'text/html': z.string() },
  },
  'hub/docs-style': {
    rest: 'GET /api/docs.css',
    operationId: 'getDocsStyle',
    scope: 'read',
    raw: true,
    summary: 'The style sheet of the documentation',
    response: 'The style sheet.',
    content: { 'text/css': z.string() },
  },
  'hub/metrics': {
    rest: 'GET /metrics',
    operationId: 'getMetrics',
    scope: 'read',
    raw: true,
    summary: 'Metrics for Prometheus',
    description: 'Text exposition format 0.0.4. Prometheus signs in with a bearer token.',
    response: 'The metrics.',
    content: { 'text/plain': z.string() },
  },
  'hub/list': {
    rest: 'GET /api/hubs',
    scope: 'read',
    summary: 'The hubs that share this database',
    description: 'By name. A hub with a SQLite file is alone.',
    response: 'The hubs, with the one that answers among them.',
    output: hubListSchema,
  },
  'hub/drain': {
    rest: 'POST /api/hubs/{hubId}/drain',
    scope: 'admin',
    summary: 'Empty a hub, for an upgrade',
    description:
      'The hub takes no new sessions and prompts. It completes the turns that run, then puts its sessions to sleep; another hub that has the volume of a session resumes it. Follow `activeSessions` in the list of hubs. The next start of the hub takes work again.',
    body: drainSchema,
    response: 'The hub.',
    output: hubSchema,
    errors: ['hub_alone', 'hub_unreachable'],
  },
  'hub/remove': {
    rest: 'DELETE /api/hubs/{hubId}',
    scope: 'admin',
    summary: 'Forget a hub that is away for good',
    description:
      'Its sessions can still be read; those that were active end. A hub that starts again with its data directory is known again.',
    response: 'The hubs that are left.',
    output: hubListSchema,
    errors: ['hub_alone', 'hub_running'],
  },
} satisfies Commands

export const mediaCommands = {
  'media/upload': {
    rest: 'POST /api/media',
    scope: 'write',
    raw: true,
    summary: 'Upload an image for a prompt',
    description:
      'The body is the image itself, at most 20 MB. Use the `url` of the response as the `uri` of an image block.',
    uploads: PICTURE_TYPES,
    status: 201,
    response: 'The stored image.',
    output: mediaSchema,
    errors: ['storage_failed'],
  },
  'media/get': {
    rest: 'GET /media/{mediaId}',
    scope: 'read',
    raw: true,
    summary: 'Get an image or a large output',
    description:
      'Raster images are served to be displayed, everything else as a download. The content never changes, so it may be cached. Supports `Range` and `If-None-Match`.',
    content: { '*/*': z.unknown() },
    responses: {
      200: 'The bytes.',
      206: 'The requested range.',
      304: 'Not modified.',
      416: 'The range cannot be satisfied.',
    },
  },
} satisfies Commands
