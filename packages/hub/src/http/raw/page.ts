// Serves the web page: its files, index.html for every address of the page, and the policy that browsers enforce.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import express, { Router, type RequestHandler } from 'express'
import helmet from 'helmet'

export function pageRoutes(webFolder: string): Router {
  const routes = Router()
  routes.use(express.static(webFolder, { index: false, fallthrough: true }))
  routes.get(/^\/(?!api\/|ws$|acp$|media\/|metrics\/?$)/, (_request, response, next) => {
    const page = join(webFolder, 'index.html')
    if (existsSync(page)) response.sendFile(page)
    else next()
  })
  return routes
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
