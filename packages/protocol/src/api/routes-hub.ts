// The table's part for the hub itself: documentation, numbers, media and storage.
import { z } from 'zod'
import { healthSchema } from './output-schemas.js'
import { answer, json, type Route } from './route.js'
import {
  cleanedSchema,
  mediaSchema,
  retentionPlanSchema,
  retentionPolicySchema,
  storageSchema,
} from './storage-schemas.js'

const PICTURES = ['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp'].map((name) => `image/${name}`)
const bytes = z.unknown()

export const hubRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/api/health',
    operationId: 'getHealth',
    tag: 'Hub',
    summary: 'Is the hub there?',
    isOpen: true,
    answers: answer(200, 'It is.', healthSchema),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/openapi.json',
    operationId: 'getOpenApi',
    tag: 'Hub',
    summary: 'This document',
    answers: answer(200, 'An OpenAPI 3.1 document.', z.looseObject({ openapi: z.string() })),
    errors: [],
  },
  {
    method: 'get',
    path: '/api/docs',
    operationId: 'getDocs',
    tag: 'Hub',
    summary: 'This document, as a page to read',
    answers: { 200: { description: 'A page.', content: { 'text/html': z.string() } } },
    errors: [],
  },
  {
    method: 'get',
    path: '/api/docs.css',
    operationId: 'getDocsStyle',
    tag: 'Hub',
    summary: 'The style of that page',
    answers: { 200: { description: 'A style sheet.', content: { 'text/css': z.string() } } },
    errors: [],
  },
  {
    method: 'get',
    path: '/metrics',
    operationId: 'getMetrics',
    tag: 'Hub',
    summary: 'Numbers for Prometheus',
    description: 'Text exposition format 0.0.4. Prometheus signs in with a bearer token.',
    answers: { 200: { description: 'Metrics.', content: { 'text/plain': z.string() } } },
    errors: [],
  },
  {
    method: 'post',
    path: '/api/media',
    operationId: 'uploadMedia',
    tag: 'Media',
    summary: 'Upload a picture for a prompt',
    description:
      'The body is the picture itself, at most 20 MB. The answer’s `url` goes into an image block as its `uri`.',
    body: Object.fromEntries(PICTURES.map((type) => [type, bytes])),
    answers: answer(201, 'Stored.', mediaSchema),
    errors: ['storage_failed'],
  },
  {
    method: 'get',
    path: '/media/{id}',
    operationId: 'getMedia',
    tag: 'Media',
    summary: 'A picture or a large output',
    description:
      'With its own media type. Raster images are shown, everything else is downloaded. May be cached for ever; takes `Range` and `If-None-Match`.',
    params: { id: 'Id of the media.' },
    answers: {
      200: { description: 'The bytes.', content: { '*/*': bytes } },
      206: { description: 'The part that `Range` asks for.', content: { '*/*': bytes } },
      304: { description: 'What the client has is right.' },
      416: { description: 'There is no such part.' },
    },
    errors: ['not_found'],
  },
  {
    method: 'get',
    path: '/api/storage',
    operationId: 'getStorage',
    tag: 'Storage',
    summary: 'What takes room on the disk',
    answers: answer(200, 'By kind of thing.', storageSchema),
    errors: [],
  },
  {
    method: 'post',
    path: '/api/storage/plan',
    operationId: 'planCleaning',
    tag: 'Storage',
    scope: 'read',
    summary: 'What would a cleaning take?',
    description: 'Changes nothing. Active and pinned sessions always stay.',
    body: json(retentionPolicySchema),
    answers: answer(
      200,
      'The sessions, oldest first, and what they would free.',
      retentionPlanSchema,
    ),
    errors: [],
  },
  {
    method: 'post',
    path: '/api/storage/clean',
    operationId: 'clean',
    tag: 'Storage',
    scope: 'admin',
    summary: 'Remove old sessions for good',
    body: json(retentionPolicySchema),
    answers: answer(200, 'What is gone.', cleanedSchema),
    errors: ['storage_failed'],
  },
]
