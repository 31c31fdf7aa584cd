// For pages and programs that look after a hub. Apart from the core, which most apps need alone.
export { Devices } from './devices.js'
export { HubUpkeep } from './hub-upkeep.js'
export { requestOf } from '../connection/http.js'
export { streamResponse } from './stream-response.js'
