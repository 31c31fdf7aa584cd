// `npm run build`: packages and the web app into their dist folders.
import { setUp } from './setup.mjs'

setUp()
