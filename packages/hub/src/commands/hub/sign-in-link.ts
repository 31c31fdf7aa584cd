// A sign-in link for another device: as text, and at a terminal as a QR code that a phone's camera reads.
import { Devices } from '@quayside/client/admin'
import type { CallInput, ReachState } from '@quayside/protocol'
import { toString as drawQrCode } from 'qrcode'
import type { CommandIo } from '../io/command-io.js'
import type { HubAccess } from '../io/hub-access.js'

/** Signs a phone in that works with sessions, but manages nothing. */
export async function drawForPhone(hub: HubAccess, url: string, io: CommandIo): Promise<void> {
  await drawLink(hub, { url, code: { scope: 'write', name: 'phone' } }, io)
}

type LinkOptions = {
  /** An address that the device can open. */
  readonly url: string
  readonly code: CallInput<'login-code/create'>
  /** Part of the link, so that the device can compare it. */
  readonly certificate?: ReachState['certificate']
}

export async function drawLink(
  hub: HubAccess,
  { url, code: input, certificate }: LinkOptions,
  io: CommandIo,
): Promise<void> {
  const { code } = await new Devices(hub.client).createLoginCode(input)
  const print = certificate?.isSelfSigned
    ? `&sha256=${certificate.fingerprint.replaceAll(':', '')}`
    : ''
  const link = `${url}/#code=${code}${print}`
  io.stdout.write(`${link}\n`)
  if (!io.stderr.isTTY) return
  io.stderr.write(await drawQrCode(link, { type: 'terminal', small: true }))
  if (print)
    io.stderr.write(
      `The browser warns once, because no authority has signed the hub's certificate. Compare its SHA-256 fingerprint:\n${certificate?.fingerprint}\n`,
    )
}
