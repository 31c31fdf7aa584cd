// The naive page as a floor: bundled by vite, served with all events of a session.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const ENTRY = fileURLToPath(new URL('naive-page-app.jsx', import.meta.url))
const HTML =
  '<!doctype html><title>naive</title><div id="root"></div><script type="module" src="/app.js"></script>'

export async function serveNaivePage(events) {
  const script = await bundle()
  const answers = {
    '/': ['text/html', HTML],
    '/app.js': ['text/javascript', script],
    '/events.json': ['application/json', JSON.stringify(events)],
  }
  const server = createServer((request, response) => {
    const [type, body] = answers[request.url] ?? ['text/plain', '']
    response.setHeader('content-type', `${type}; charset=utf-8`).end(body)
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function bundle() {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, lib: { entry: ENTRY, formats: ['es'] } },
  })
  return output[0].code
}
