// GET /media/:id: what agents and people put in. Raster images are shown, everything else is only ever downloaded,
// and nothing of it may run on the app's origin.
import { basename, dirname } from 'node:path'
import { PICTURE_TYPES } from '@quayside/protocol/schemas'
import type { Response } from 'express'
import { HubError } from '../../errors.js'
import type { MediaStore } from '../../store/media.js'
import type { Raw } from '../../api/room.js'

export const SHOWN_TYPES: ReadonlySet<string> = new Set(PICTURE_TYPES)
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['text/plain', '.txt'],
  ['application/json', '.json'],
  ['image/svg+xml', '.svg'],
  ['application/pdf', '.pdf'],
  ['audio/mpeg', '.mp3'],
  ['audio/wav', '.wav'],
])

export function media(store: MediaStore): Pick<Raw, 'media/get' | 'media/upload'> {
  return {
    'media/get': async ({ mediaId }, { response }) => {
      const found = await store.find(mediaId)
      if (found === undefined) throw new HubError('not_found')
      // With a root, neither a dot nor a percent sign in the data directory's own path matters.
      const file = { root: dirname(found.path), headers: headersOf(mediaId, found.mimeType) }
      const options = { ...file, cacheControl: false, lastModified: false }
      const error = await new Promise<SendError | undefined>((resolve) => {
        response.sendFile(basename(found.path), options, resolve)
      })
      if (error) answerFailure(error, response)
    },
    'media/upload': async (_input, { request, response }) => {
      const mimeType =
        (request.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
      if (!SHOWN_TYPES.has(mimeType))
        throw new HubError('unsupported_media_type', {
          message: `Send a picture, with its type as Content-Type: ${[...SHOWN_TYPES].join(', ')}.`,
        })
      const bytes: unknown = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0)
        throw new HubError('bad_request', { message: 'The body is empty.' })
      const stored = store.put({ mimeType, bytes })
      await store.flush()
      response.status(201).json(stored)
    },
  }
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

/** Throws what has an error body. */
function answerFailure(error: SendError, response: Response): void {
  // The client went away in the middle.
  if (response.headersSent || error.code === 'ECONNABORTED') {
    response.destroy()
    return
  }
  for (const name of ['Content-Type', 'Content-Disposition', 'Cache-Control', 'ETag'])
    response.removeHeader(name)
  if (error.status === 412 || error.status === 416) response.status(error.status).end()
  else throw error.status === 404 ? new HubError('not_found', {}, { cause: error }) : error
}
