// Reads the address of a repository to clone. Only a few protocols are accepted, and none that could start a program.
import { fileURLToPath } from 'node:url'
import { HubError } from '../../errors.js'

export type CloneSource = {
  readonly url: string
  readonly protocol: 'https' | 'ssh' | 'git' | 'file'
  /** The folder of a `file` address. */
  readonly folder?: string
  /** The last part of the address, if it can be the name of a folder. */
  readonly name: string | undefined
}

const PROTOCOLS = ['https', 'ssh', 'git', 'file'] as const
/** `user@host:path`, which git reads as SSH. Neither part can be an option of ssh. */
const SCP_ADDRESS = /^(?<user>\w[\w.-]*)@(?<host>[a-zA-Z0-9][a-zA-Z0-9.-]*):(?<path>[^:/-][^:]*)$/
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u
const EXAMPLE = 'Use one such as https://example.com/project.git or git@example.com:project.git.'

/** Throws `bad_request` with the reason. */
export function readCloneUrl(text: string): CloneSource {
  const url = text.trim()
  // A space or a control character hides the rest of an address, "::" names a program, and "-" begins an option.
  if (/[\s\p{C}]/u.test(url) || url.includes('::') || url.startsWith('-'))
    throw refused(`This is not the address of a repository. ${EXAMPLE}`)
  const { path } = SCP_ADDRESS.exec(url)?.groups ?? {}
  if (path !== undefined) return { url, protocol: 'ssh', name: nameIn(path) }
  return readUrl(url)
}

function readUrl(url: string): CloneSource {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const protocol = PROTOCOLS.find((one) => parsed?.protocol === `${one}:`)
  if (parsed === undefined || protocol === undefined || !url.startsWith(`${protocol}://`))
    throw refused(`Only addresses of https, ssh, git and file are cloned. ${EXAMPLE}`)
  if (parsed.password !== '')
    throw refused(
      'The address contains a password, which git would store in the repository. Remove it, and let a credential helper answer.',
    )
  if (/^-|%/.test(parsed.hostname) || /^(-|%2d)/i.test(parsed.username))
    throw refused(`This host name cannot be used. ${EXAMPLE}`)
  const name = nameIn(parsed.pathname)
  if (protocol !== 'file') {
    if (parsed.hostname === '') throw refused(`The address has no host. ${EXAMPLE}`)
    return { url, protocol, name }
  }
  if (parsed.hostname !== '') throw refused('A file address has no host: file:///folder.')
  return { url, protocol, name, folder: fileURLToPath(parsed) }
}

function nameIn(path: string): string | undefined {
  const last = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  const name = last.replace(/\.git$/, '')
  return NAME.test(name) ? name : undefined
}

function refused(message: string): HubError {
  return new HubError('bad_request', { message })
}
