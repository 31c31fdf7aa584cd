// Parses exported transcripts as their viewers do, and searches them for active content and requests.
import { expect } from 'vitest'

/** The tags and attributes of the file, as a browser parses it. */
function tagsOf(html: string): { name: string; attributes: string[] }[] {
  return [...html.matchAll(/<([a-z0-9!-]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/gi)].map(
    ([, name = '', rest = '']) => ({
      name: name.toLowerCase(),
      attributes: [...rest.matchAll(/\s([a-z-]+)(?:="([^"]*)")?/g)].map(
        ([, key, value]) => `${key}=${value}`,
      ),
    }),
  )
}

const TAGS = new Set(
  '!doctype html head meta title style body main header h1 h2 p section time div details summary code pre a ul li small figure figcaption ins del img'.split(
    ' ',
  ),
)

/** Expects only the export's own tags, none of them active or loading a resource. */
export function expectInert(html: string): void {
  // Every `<` begins one of the export's own tags, so the count is complete.
  const opening = html.match(/<(?!\/)/g) ?? []
  const tags = tagsOf(html)
  expect(tags).toHaveLength(opening.length)
  expect(tags.filter(({ name }) => !TAGS.has(name))).toEqual([])
  expect(html.match(/<style>/g)).toHaveLength(1)
  expect(html.match(/<\/style>/g)).toHaveLength(1)
  const attributes = tags.flatMap((tag) => tag.attributes)
  expect(attributes.filter((attribute) => /^(?:on|style|srcdoc|action)/.test(attribute))).toEqual(
    [],
  )
  for (const { name, attributes: own } of tags) {
    for (const href of own.filter((attribute) => attribute.startsWith('href=')))
      expect([name, href]).toEqual(['a', expect.stringMatching(/^href=https?:\/\//)])
    for (const source of own.filter((attribute) => attribute.startsWith('src=')))
      expect([name, source]).toEqual(['img', expect.stringMatching(/^src=data:image\//)])
  }
  expect(html).not.toMatch(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u)
}

/** The relevant part of CommonMark: no image and no tag outside of code. Fences open only as in its specification. */
export function expectInertMarkdown(markdown: string): void {
  let fence: string | undefined
  for (const quoted of markdown.split('\n')) {
    const line = quoted.replace(/^> ?/, '')
    if (fence !== undefined) {
      const rest = line.replace(/^ {0,3}/, '').trimEnd()
      if (rest.startsWith(fence) && rest.replaceAll(fence.charAt(0), '') === '') fence = undefined
      continue
    }
    fence = /^(`{3,})[^`]*$|^(~{3,})/
      .exec(line)
      ?.slice(1)
      .find((found) => found !== undefined)
    if (fence !== undefined) continue
    const outside = line.replaceAll(/(?<!\\)(`+)(?!`) .*? \1(?!`)/g, '')
    expect(outside).not.toMatch(/!\[/)
    expect(outside.replaceAll(/\\[<]/g, '')).not.toMatch(/<[A-Za-z/!?]/)
  }
  expect(fence).toBeUndefined()
}
