// GET /media/:id: what agents and people put in. Raster images are shown, everything else is only ever downloaded,
// and nothing of it may run on the app's origin.
import { basename, dirname } from 'node:path'
import express, { type NextFunction, type Response, Router } from 'express'
import { HubError } from '../errors.js'
import { MAX_MEDIA_BYTES, type MediaStore } from '../store/media.js'

/** Never SVG, HTML or PDF: opened as a page they can carry script. */
export const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
])
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['text/plain', '.txt'],
  ['application/json', '.json'],
  ['image/svg+xml', '.svg'],
  ['application/pdf', '.pdf'],
  ['audio/mpeg', '.mp3'],
  ['audio/wav', '.wav'],
])

/** For `/media`, behind the sign-in. */
export function mediaRoutes(media: MediaStore): Router {
  const routes = Router()

  routes.get('/:id', (request, response, next) => {
    const { id } = request.params
    const found = media.find(id)
    if (found === undefined) throw new HubError('not_found')
    // With a root, neither a dot nor a percent sign in the data directory's own path matters.
    const file = { root: dirname(found.path), headers: headersOf(id, found.mimeType) }
    const options = { ...file, cacheControl: false, lastModified: false }
    response.sendFile(basename(found.path), options, (error?: SendError) => {
      if (error !== undefined && error !== null) answerFailure(error, response, next)
    })
  })

  return routes
}

/** `POST /api/media`: a picture for a prompt, sent as it is. The answer's `url` goes into an image block as its `uri`. */
export function uploadRoutes(media: MediaStore): Router {
  const routes = Router()
  const body = express.raw({ type: () => true, limit: MAX_MEDIA_BYTES })

  routes.post('/', body, (request, response) => {
    const mimeType =
      (request.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (!SHOWN_TYPES.has(mimeType))
      throw new HubError('unsupported_media_type', {
        message: `Send a picture, with its type as Content-Type: ${[...SHOWN_TYPES].join(', ')}.`,
      })
    const bytes: unknown = request.body
    if (!Buffer.isBuffer(bytes) || bytes.length === 0)
      throw new HubError('bad_request', { message: 'The body is empty.' })
    response.status(201).json(media.put({ mimeType, bytes }))
  })

  return routes
}

type SendError = Error & { readonly status?: number; readonly code?: string }

/** Sent only once the file is open, so that no error is ever cached or takes the media's type. */
function headersOf(id: string, mimeType: string): Record<string, string> {
  const isShown = SHOWN_TYPES.has(mimeType)
  const name = `${id}${EXTENSIONS.get(mimeType) ?? ''}`
  return {
    'Content-Type': mimeType === 'text/plain' ? 'text/plain; charset=utf-8' : mimeType,
    'Content-Disposition': isShown ? 'inline' : `attachment; filename="${name}"`,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=31536000, immutable',
    ETag: `"${id}"`,
  }
}

function answerFailure(error: SendError, response: Response, next: NextFunction): void {
  // The client went away in the middle.
  if (response.headersSent || error.code === 'ECONNABORTED') {
    response.destroy()
    return
  }
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag'])
    response.removeHeader(name)
  if (error.status === 412 || error.status === 416) response.status(error.status).end()
  else next(error.status === 404 ? new HubError('not_found', {}, { cause: error }) : error)
}
