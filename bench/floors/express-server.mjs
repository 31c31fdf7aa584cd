// The floors for an idle hub, in a separate process: `node express-server.mjs express` serves one route with Express,
// `node express-server.mjs store` also has WebSockets and a migrated database that was read once. Same protocol as hub-process.mjs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveUsage } from '../hubs/usage.mjs'

const { default: express } = await import('express')
const app = express().get('/api/health', (_request, response) => response.json({ status: 'ok' }))
const server = app.listen(0, '127.0.0.1')
if (process.argv[2] === 'store') await addWebSocketsAndStore()
await new Promise((resolve) => {
  if (server.listening) resolve()
  else server.once('listening', resolve)
})
serveUsage({ address: `http://127.0.0.1:${server.address().port}` }, () => process.exit(0))

async function addWebSocketsAndStore() {
  const { WebSocketServer } = await import('ws')
  const { openDatabase } = await import('../../packages/hub/dist/store/sqlite/database.js')
  const { migrateUp } = await import('../../packages/hub/dist/store/sqlite/migrations.js')
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', () => {}))
  const folder = mkdtempSync(join(tmpdir(), 'quayside-bench-idle-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = openDatabase(join(folder, 'idle.db'), { durability: 'full' })
  migrateUp(db)
  db.prepare('SELECT * FROM AgentSession').all()
}
