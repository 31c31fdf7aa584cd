import { expect, test } from 'vitest'
import { acceptsContent, acceptsMcp, refusedContent } from './agent-capabilities.js'

const PICTURES = { promptCapabilities: { image: true, audio: false } }

test.each([{}, { promptCapabilities: null }, { promptCapabilities: { image: 'yes' } }])(
  'an agent that declares nothing (%j) accepts texts and links only',
  (capabilities) => {
    for (const type of ['image', 'audio', 'resource'] as const)
      expect(acceptsContent(capabilities, type)).toBe(false)
    const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const
    expect(refusedContent(capabilities, [{ type: 'text', text: 'hi' }, link])).toEqual([])
  },
)

test('each refused kind of content is named once', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: '' } as const
  const sound = { type: 'audio', mimeType: 'audio/wav', data: '' } as const
  const file = { type: 'resource', resource: { uri: 'file:///a', text: '' } } as const
  expect(refusedContent(PICTURES, [picture, sound, file, sound])).toEqual(['audio', 'resource'])
})

test('servers over HTTP and SSE are declared one by one', () => {
  const capabilities = { mcpCapabilities: { http: true } }
  expect(acceptsMcp(capabilities, 'http')).toBe(true)
  expect(acceptsMcp(capabilities, 'sse')).toBe(false)
  expect(acceptsMcp({}, 'http')).toBe(false)
})
