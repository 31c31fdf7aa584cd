// The addresses of all commands by their names, a reading of the table. The packed client has their value instead of this
// module (scripts/package-client.mjs), so that it carries no schemas.
import { type Addresses, REST_COMMANDS } from './commands.js'

export const ADDRESSES = Object.fromEntries(
  [...REST_COMMANDS].map(([name, { rest }]) => [name, rest]),
) as Addresses
