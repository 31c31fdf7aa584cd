// Takes content that another app shared, once. The service worker stores it until then.
import { PICTURE_TYPES } from '../composer/use-pictures.js'

export type SharedContent = { readonly text: string; readonly pictures: readonly File[] }

/** The cache that public/service-worker.js writes. */
const CACHE = 'quayside-shared'

export async function takeShared(): Promise<SharedContent> {
  // Without HTTPS there is no cache, and nothing can be shared.
  if (!('caches' in globalThis)) return { text: '', pictures: [] }
  const shared = await caches.open(CACHE)
  const text = (await (await shared.match('/share/text'))?.text()) ?? ''
  const pictures: File[] = []
  for (const request of await shared.keys()) {
    const blob = await (await shared.match(request))?.blob()
    const name = new URL(request.url).pathname.replace('/share/', '')
    if (blob && PICTURE_TYPES.includes(blob.type))
      pictures.push(new File([blob], name, { type: blob.type }))
  }
  await caches.delete(CACHE)
  return { text, pictures }
}
