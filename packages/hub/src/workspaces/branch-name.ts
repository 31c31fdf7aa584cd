// The name of a session's own branch: quayside/ and the words of its title or its first prompt.

const PREFIX = 'quayside/'
const MAX_LENGTH = 40

/** The first free name, with -2, -3 and so on. Words without Latin letters or digits give the end of the session's id. */
export function branchName(
  { id, words }: { readonly id: string; readonly words?: string | undefined },
  isTaken: (name: string) => boolean,
): string {
  const name = PREFIX + (slugOf(words ?? '') || id.slice(-6))
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`
    if (!isTaken(candidate)) return candidate
  }
}

function slugOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? []
  let name = ''
  for (const word of words) {
    const longer = name === '' ? word : `${name}-${word}`
    if (longer.length > MAX_LENGTH) break
    name = longer
  }
  return name || (words[0]?.slice(0, MAX_LENGTH) ?? '')
}
