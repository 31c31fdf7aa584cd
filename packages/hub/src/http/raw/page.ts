// Serves the web page: its files, index.html for every address of the page, and the policy that browsers enforce.
import { createReadStream, existsSync } from 'node:fs'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGzip } from 'node:zlib'
import express, { Router, type RequestHandler } from 'express'
import helmet from 'helmet'
import { HubError } from '../../errors.js'
import { hostName } from '../access/secure-hosts.js'

const YEAR_MS = 365 * 24 * 60 * 60_000

export function pageRoutes(webFolder: string): Router {
  const routes = Router()
  const files = express.static(webFolder, { index: false, fallthrough: true })
  // Their names contain a hash of their content.
  const assets = express.static(join(webFolder, 'assets'), { immutable: true, maxAge: YEAR_MS })
  routes.use(['/assets', '/diagram.js'], fromAnyOrigin)
  routes.use('/diagram.html', diagramPolicy)
  routes.use('/assets', compressedAssets(join(webFolder, 'assets')), assets, notFound)
  // Requests for anything else look for no file: that would cost each of them a visit to the disk.
  routes.get(/^\/(?!api\/|ws$|acp$|media\/|metrics\/?$)/, files, (_request, response, next) => {
    const page = join(webFolder, 'index.html')
    if (existsSync(page)) response.sendFile(page)
    else next()
  })
  return routes
}

/** Serves the compressed copy of a script or style, which a package has alone. Other browsers get it decompressed. */
function compressedAssets(folder: string): RequestHandler {
  return (request, response, next) => {
    const copy = `${request.path}.br`
    if (!/^\/[\w.-]+\.(js|css)$/.test(request.path) || !existsSync(join(folder, copy)))
      return next()
    response.vary('Accept-Encoding')
    response.type(extname(request.path))
    if (request.acceptsEncodings('br') === 'br') {
      response.setHeader('Content-Encoding', 'br')
      request.url = copy
      return next()
    }
    response.setHeader('Cache-Control', `public, max-age=${YEAR_MS / 1000}, immutable`)
    const isGzip = request.acceptsEncodings('gzip') === 'gzip'
    if (isGzip) response.setHeader('Content-Encoding', 'gzip')
    const content = createReadStream(join(folder, copy)).pipe(createBrotliDecompress())
    const ended = (error: Error | null): void => void (error && response.destroy())
    if (isGzip) pipeline(content, createGzip(), response, ended)
    else pipeline(content, response, ended)
  }
}

/** Public files. The frame that draws diagrams has an origin of its own, and loads its scripts from here. */
const fromAnyOrigin: RequestHandler = (_request, response, next) => {
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
  next()
}

/** The frame may make HTML and styles from text, but it has no origin, no data and no network. */
const diagramPolicy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', DIAGRAM_POLICY)
  next()
}

const DIAGRAM_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join(';')

/** An asset of another build. The page in its place would be cached as a script. */
function notFound(): never {
  throw new HubError('not_found')
}

export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        // Diagrams, and previews on other ports of this host.
        frameSrc: ["'self'", ({ headers }) => `${hostName(headers.host) ?? 'localhost'}:*`],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        // No string becomes markup or script, whatever is wrong in the page; its one policy may name own scripts.
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['quayside'],
      },
    },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
  })
}
