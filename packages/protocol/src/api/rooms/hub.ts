// Declares the commands for the hub itself: its health, its documents, its numbers, and media.
import { z } from 'zod'
import type { Shape } from '../../shape.js'
import type { Commands } from '../command.js'

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
  command: z
    .string()
    .exactOptional()
    .describe('How the command of this hub is called on its computer: `quayside`, or through npm.'),
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
    details: z.record(z.string(), z.unknown()).exactOptional(),
  }),
})
export type ErrorBody = Shape<typeof errorBodySchema>

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
} satisfies Commands

export const mediaCommands = {
  'media/upload': {
    rest: 'POST /api/media',
    operationId: 'uploadMedia',
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
    operationId: 'getMedia',
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
