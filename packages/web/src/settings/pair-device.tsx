// Pairs another device: a link that works once, as text and as a QR code, until it is used, cancelled or expired.
import { Devices } from '@quayside/client/admin'
import { ClientError, type LoginCode } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { FormEvent } from 'react'
import { useRemaining } from '../shared/clock.js'
import { CopyButton } from '../shared/controls/copy-button.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { strings } from '../strings/strings.js'
import { type NamedScope, NamedScopeFields } from './named-scope.js'

const QrCode = lazy(async () => ({ default: (await import('./qr-code.js')).QrCode }))

const words = strings.access
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const POLL_MS = 2_000

export function PairDevice({ onUsed }: { onUsed: () => void }) {
  const client = useHub()
  const [input, setInput] = useState<NamedScope>({ name: '', scope: 'admin' })
  const [code, setCode] = useState<LoginCode>()
  const [message, setMessage] = useState<string>()
  const [problem, setProblem] = useState<string>()

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
      {LOOPBACK.has(location.hostname) && <p className="note">{words.localOnly}</p>}
      {code ? (
        <OpenCode
          key={code.id}
          code={code}
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
  readonly onUsed: () => void
  readonly onExpired: () => void
  readonly onWithdraw: () => void
}

function OpenCode({ code, onUsed, onExpired, onWithdraw }: OpenCodeProps) {
  const link = `${location.origin}/#code=${encodeURIComponent(code.code)}`
  usePolledCode(code, onUsed, onExpired)
  return (
    <div className="pairing">
      <Suspense fallback={<div className="qr-code" />}>
        <QrCode text={link} label={words.qrCode} />
      </Suspense>
      <div className="pairing-text">
        <p>{words.scan}</p>
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
