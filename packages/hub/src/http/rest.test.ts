// A table without a function for each of its commands is refused when the hub starts.
import { expect, test } from 'vitest'
import type { Api } from '../api/api.js'
import type { FeedCommands } from './feeds/feed-commands.js'
import type { Raw } from '../api/room.js'
import { restRoutes } from './rest.js'
import { rpcMethods } from './rpc.js'

const api = {} as Api
const raw = {} as Raw

test('a command without a function is refused, over REST and over the WebSocket', () => {
  expect(() => restRoutes({ api, raw }, 'public')).toThrow('hub/health has no function')
  expect(() => restRoutes({ api, raw }, 'signed-in')).toThrow(' has no function')
  expect(() => rpcMethods(api, {} as FeedCommands)).toThrow(' has no function')
})
