// Pairs another device: a link that works once, until it is used, cancelled or expired. A QR code is shown only for an
// address that the device can open.
import { Devices } from '@quayside/client/admin'
import { ClientError, type LoginCode } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import type { ReachState } from '@quayside/protocol'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { FormEvent } from 'react'
import { useRemaining } from '../../shared/clock.js'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { Icon } from '../../shared/controls/icon.js'
import { problemOf } from '../../shared/problem.js'
import { inOwnScript, Trouble } from '../../shared/controls/trouble.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { type NamedScope, NamedScopeFields } from './named-scope.js'
import { type OpenWay, openWays, PhoneWays } from './phone-ways.js'
import { settingsWords } from '../../strings/settings-words.js'

const QrCode = inOwnScript(
  async () => (await import('./qr-code.js')).QrCode,
  () => <div className="qr-code" />,
)

const words = settingsWords.access
const POLL_MS = 2_000

export function PairDevice({ onUsed }: { onUsed: () => void }) {
  const client = useHub()
  const [input, setInput] = useState<NamedScope>({ name: '', scope: 'write' })
  const [code, setCode] = useState<LoginCode>()
  const [message, setMessage] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [chosen, setChosen] = useState<OpenWay>()
  const readReach = useCallback(
    (signal: AbortSignal) => new Devices(client).reach({ signal }),
    [client],
  )
  const reach = useLoaded(readReach)
  const open = reach.value ? openWays(reach.value) : []
  const way = open.find(({ url }) => url === chosen?.url) ?? open[0]

  function settle(text: string) {
    setCode(undefined)
    setMessage(text)
  }

  async function make(event: FormEvent) {
    event.preventDefault()
    setProblem(undefined)
    setMessage(undefined)
    try {
      const name = input.name.trim() || words.deviceName
      setCode(await new Devices(client).createLoginCode({ ...input, name }))
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  async function withdraw({ id }: LoginCode) {
    settle(words.withdrawn)
    try {
      await new Devices(client).withdrawLoginCode(id)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <div className="form">
      {reach.problem !== undefined && <Trouble problem={reach.problem} onRetry={reach.reload} />}
      {reach.value && <PhoneWays reach={reach.value} chosen={way} onChoose={setChosen} />}
      {reach.value && !way && <p className="note">{words.localOnly}</p>}
      {code ? (
        <OpenCode
          key={code.id}
          code={code}
          way={way}
          certificate={way?.kind === 'network' ? reach.value?.certificate : undefined}
          onUsed={() => {
            settle(words.wasUsed)
            onUsed()
          }}
          onExpired={() => settle(words.expired)}
          onWithdraw={() => void withdraw(code)}
        />
      ) : (
        <form className="form" onSubmit={(event) => void make(event)}>
          <NamedScopeFields value={input} placeholder={words.deviceName} onChange={setInput} />
          <div className="dialog-actions start">
            <button className="button primary">{words.makeLink}</button>
            <button
              type="button"
              className="button"
              disabled={reach.isLoading}
              onClick={reach.reload}
            >
              {words.checkWays}
            </button>
          </div>
        </form>
      )}
      <p className="form-said" role="status">
        {message}
      </p>
      <p className="problem" role="alert">
        {problem}
      </p>
    </div>
  )
}

type OpenCodeProps = {
  readonly code: LoginCode
  /** The way that the other device goes; none when only this computer reaches the hub. */
  readonly way: OpenWay | undefined
  readonly certificate: ReachState['certificate']
  readonly onUsed: () => void
  readonly onExpired: () => void
  readonly onWithdraw: () => void
}

function OpenCode({ code, way, certificate, onUsed, onExpired, onWithdraw }: OpenCodeProps) {
  const print = certificate?.isSelfSigned ? certificate.fingerprint : undefined
  const link = linkOf(code, way, print)
  usePolledCode(code, onUsed, onExpired)
  return (
    <div className={way ? 'pairing' : undefined}>
      {way && <QrCode text={link} label={words.qrCode} />}
      <div className="pairing-text">
        <p>{way ? words.scan : words.linkHere}</p>
        {print !== undefined && (
          <p className="muted">
            {words.warnsOnce} <span className="mono">{print}</span>
          </p>
        )}
        <div className="command-row">
          <pre className="command" aria-label={words.link}>
            {link}
          </pre>
          <CopyButton text={link} />
        </div>
        <p className="waiting">
          <Icon name="clock" size={14} />
          <Remaining until={Date.parse(code.expiresAt)} />
        </p>
        <button type="button" className="button" onClick={onWithdraw}>
          {words.withdraw}
        </button>
      </div>
    </div>
  )
}

/** The fingerprint is part of the link, so that the other device can compare it. */
function linkOf({ code }: LoginCode, way: OpenWay | undefined, print: string | undefined): string {
  const sha256 = print === undefined ? '' : `&sha256=${print.replaceAll(':', '')}`
  return `${way?.url ?? location.origin}/#code=${encodeURIComponent(code)}${sha256}`
}

function Remaining({ until }: { until: number }) {
  const seconds = Math.ceil(useRemaining(until) / 1_000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return <span role="timer">{words.remaining(time)}</span>
}

/** Polls until the code is used or has expired. */
function usePolledCode(
  { id, expiresAt }: LoginCode,
  onUsed: () => void,
  onExpired: () => void,
): void {
  const client = useHub()
  const poll = useEffectEvent(async (signal: AbortSignal) => {
    if (Date.now() >= Date.parse(expiresAt)) return onExpired()
    try {
      const { isUsed } = await new Devices(client).loginCode(id, { signal })
      if (isUsed && !signal.aborted) onUsed()
    } catch (error) {
      // The next poll retries.
      const isGone = error instanceof ClientError && error.code === 'login_code_not_found'
      if (isGone && !signal.aborted) onExpired()
    }
  })

  useEffect(() => {
    const abort = new AbortController()
    const timer = setInterval(() => void poll(abort.signal), POLL_MS)
    return () => {
      clearInterval(timer)
      abort.abort()
    }
  }, [])
}
