// Which version of Quayside this is, as its package says.
import { readFileSync } from 'node:fs'

const PACKAGE_FILE = new URL('../package.json', import.meta.url)

export const { version: VERSION } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as {
  readonly version: string
}
