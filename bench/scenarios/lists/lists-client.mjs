// A hub with many sessions in a separate process, and signed-in requests to it over HTTP, one after the other.
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { Child } from '../../hubs/child.mjs'
import { TOKEN } from '../../hubs/workspace.mjs'
import { randomFrom, repoId, REPOS, sessionId } from './lists-data.mjs'

const HUB = new URL('../../hubs/hub-process.mjs', import.meta.url).pathname
const PLACES = 25

export class ListHub {
  #child
  #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  static async start(folder, sessions, env = {}) {
    const child = await Child.start([HUB, folder], {
      QUAYSIDE_DATA_DIR: join(folder, 'data'),
      QUAYSIDE_TOKEN: TOKEN,
      QUAYSIDE_LOG_LEVEL: 'silent',
      ...env,
    })
    return new ListHub(child, { folder, sessions, ...child.ready })
  }

  constructor(child, { folder, sessions, address, startMs }) {
    this.#child = child
    this.folder = folder
    this.sessions = sessions
    this.address = address
    this.startMs = startMs
  }

  /** Different positions, repositories and sessions, so that requests do not read the same page repeatedly. */
  async wishes() {
    const random = randomFrom(11)
    const wishes = []
    for (let index = 0; index < PLACES; index += 1) {
      const offset = Math.floor(this.sessions * (0.4 + random() * 0.2))
      const page = JSON.parse(await this.#get(`?limit=1&offset=${offset - 1}`))
      const place = {
        offset,
        cursor: page.nextCursor,
        createdAt: Date.parse(page.sessions[0].createdAt),
      }
      const session = sessionId(Math.floor(random() * this.sessions))
      wishes.push({ place, session, repo: repoId(Math.floor(random() * REPOS)) })
    }
    return wishes
  }

  async measure({ path }, wishes, { warmUp, requests }) {
    for (let index = 0; index < warmUp; index += 1) await this.#get(path(wishes[index]))
    const times = []
    for (let index = 0; index < requests; index += 1) {
      const start = performance.now()
      await this.#get(path(wishes[index % wishes.length]))
      times.push(performance.now() - start)
    }
    return times
  }

  #get(path) {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const url = `${this.address}/api/sessions${path}`
    return new Promise((resolve, reject) => {
      get(url, { agent: this.#agent, headers }, (response) => {
        const chunks = []
        response.on('data', (chunk) => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString()
          if (response.statusCode === 200) resolve(body)
          else reject(new Error(`${path}: ${response.statusCode} ${body}`))
        })
      }).on('error', reject)
    })
  }

  async stop() {
    this.#agent.destroy()
    await this.#child.stop()
  }
}
