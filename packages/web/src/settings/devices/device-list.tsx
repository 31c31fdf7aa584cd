// Signed-in devices and tokens, each with a revoke button.
import { Devices } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import type { Token } from '@quayside/protocol'
import { useState } from 'react'
import { ConfirmDialog } from '../../shared/controls/dialog.js'
import { Icon } from '../../shared/controls/icon.js'
import { problemOf } from '../../shared/problem.js'
import { timeAgo } from '../../shared/text/times.js'
import { settingsWords } from '../../strings/settings-words.js'

const words = settingsWords.access

type DeviceListProps = {
  readonly devices: readonly Token[]
  /** The id of this browser's own device. */
  readonly ownId: string | undefined
  readonly onRevoked: () => void
}

export function DeviceList({ devices, ownId, onRevoked }: DeviceListProps) {
  const client = useHub()
  const [revoking, setRevoking] = useState<Token>()
  const [problem, setProblem] = useState<string>()
  // This device first, then by last use.
  const sorted = devices.toSorted(
    (a, b) => Number(b.id === ownId) - Number(a.id === ownId) || usedAt(b) - usedAt(a),
  )

  async function revoke({ id }: Token) {
    setProblem(undefined)
    try {
      await new Devices(client).revoke(id)
    } catch (error) {
      setProblem(problemOf(error))
    }
    onRevoked()
  }

  return (
    <>
      <p className="problem" role="alert">
        {problem}
      </p>
      <ul className="rows devices">
        {sorted.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isOwn={device.id === ownId}
            onRevoke={() => setRevoking(device)}
          />
        ))}
      </ul>
      {revoking && (
        <ConfirmDialog
          title={words.revokeTitle(revoking.name)}
          text={revoking.id === ownId ? words.revokeOwnText : words.revokeText}
          action={words.revoke}
          onConfirm={() => void revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  )
}

type DeviceRowProps = {
  readonly device: Token
  readonly isOwn: boolean
  readonly onRevoke: () => void
}

function DeviceRow({ device, isOwn, onRevoke }: DeviceRowProps) {
  const { name, kind, scope, createdAt, lastUsedAt } = device
  const used = lastUsedAt === null ? words.neverUsed : words.used(timeAgo(lastUsedAt))
  const facts = [words.kinds[kind], words.scopes[scope], words.added(timeAgo(createdAt)), used]
  return (
    <li className="list-row" data-testid="device">
      <Icon name={kind === 'cookie' ? 'panel' : 'terminal'} />
      <span className="list-row-text">
        <b dir="auto">{name}</b>
        {isOwn && <span className="device-own">{words.thisOne}</span>}
        <span className="device-facts">{facts.join(' · ')}</span>
      </span>
      <button
        type="button"
        className="button"
        aria-label={words.revokeNamed(name)}
        onClick={onRevoke}
      >
        {words.revoke}
      </button>
    </li>
  )
}

function usedAt({ lastUsedAt, createdAt }: Token): number {
  return Date.parse(lastUsedAt ?? createdAt)
}
