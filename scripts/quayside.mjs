// `npm start` and friends: sets up what is missing, then becomes the `quayside` command in the folder npm was called from.
import { setUp } from './setup.mjs'

setUp()
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import('../packages/hub/bundle/main.js')
