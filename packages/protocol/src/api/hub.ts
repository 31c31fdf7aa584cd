// Declares the commands for the hub itself: its health, its documents, its numbers, and media.
import { z } from 'zod'
import type { Shape } from '../shape.js'
import { type Commands, json } from './command.js'

/** Pictures that may be uploaded and shown. Never SVG, HTML or PDF: opened as a page they can carry script. */
export const PICTURE_TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
]
const bytes = z.unknown()

export const healthSchema = z.object({ status: z.literal('ok'), version: z.string() })

export const mediaSchema = z.object({
  id: z.string(),
  url: z.string().describe('Goes into an image block as its `uri`.'),
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
    tag: 'Hub',
    summary: 'Is the hub there?',
    isPublic: true,
    response: 'It is.',
    output: healthSchema,
  },
  'hub/openapi': {
    rest: 'GET /api/openapi.json',
    operationId: 'getOpenApi',
    scope: 'read',
    raw: true,
    tag: 'Hub',
    summary: 'This document',
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        content: json(z.looseObject({ openapi: z.string() })),
      },
    },
    errors: [],
  },
  'hub/docs': {
    rest: 'GET /api/docs',
    operationId: 'getDocs',
    scope: 'read',
    raw: true,
    tag: 'Hub',
    summary: 'This document, as a page to read',
    responses: { 200: { description: 'A page.', content: { 'text/html': z.string() } } },
    errors: [],
  },
  'hub/docs-style': {
    rest: 'GET /api/docs.css',
    operationId: 'getDocsStyle',
    scope: 'read',
    raw: true,
    tag: 'Hub',
    summary: 'The style of that page',
    responses: { 200: { description: 'A style sheet.', content: { 'text/css': z.string() } } },
    errors: [],
  },
  'hub/metrics': {
    rest: 'GET /metrics',
    operationId: 'getMetrics',
    scope: 'read',
    raw: true,
    tag: 'Hub',
    summary: 'Numbers for Prometheus',
    description: 'Text exposition format 0.0.4. Prometheus signs in with a bearer token.',
    responses: { 200: { description: 'Metrics.', content: { 'text/plain': z.string() } } },
    errors: [],
  },
  'media/upload': {
    rest: 'POST /api/media',
    operationId: 'uploadMedia',
    scope: 'write',
    raw: true,
    tag: 'Media',
    summary: 'Upload a picture for a prompt',
    description:
      'The body is the picture itself, at most 20 MB. The answer’s `url` goes into an image block as its `uri`.',
    uploads: PICTURE_TYPES,
    status: 201,
    response: 'Stored.',
    output: mediaSchema,
    errors: ['storage_failed'],
  },
  'media/get': {
    rest: 'GET /media/{mediaId}',
    operationId: 'getMedia',
    scope: 'read',
    raw: true,
    tag: 'Media',
    summary: 'A picture or a large output',
    description:
      'With its own media type. Raster images are shown, everything else is downloaded. May be cached for ever; takes `Range` and `If-None-Match`.',
    responses: {
      200: { description: 'The bytes.', content: { '*/*': bytes } },
      206: { description: 'The part that `Range` asks for.', content: { '*/*': bytes } },
      304: { description: 'What the client has is right.' },
      416: { description: 'There is no such part.' },
    },
    errors: ['not_found'],
  },
} satisfies Commands
