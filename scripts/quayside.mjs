// `npm start` and `npm run quayside`: installs and builds if needed, then becomes the `quayside` command in the folder npm was called from.
import { setUp } from './setup.mjs'

setUp()
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
await import('../packages/hub/bundle/main.js')
