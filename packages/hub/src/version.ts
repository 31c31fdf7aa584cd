// The version of Quayside, from its package.json.
import { readFileSync } from 'node:fs'
import { PACKAGE_FILE } from './places.js'

export const { version: VERSION } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as {
  readonly version: string
}
