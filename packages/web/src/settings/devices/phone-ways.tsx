// The ways by which a phone reaches this hub: those that work can be chosen, the others show the step that is missing.
import type { ReachState, ReachWay } from '@quayside/protocol'
import { useId } from 'react'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { Icon } from '../../shared/controls/icon.js'
import { settingsWords } from '../../strings/settings-words.js'

const words = settingsWords.access
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** A way that works; the address that this page was opened at is one when it is not this computer's own. */
export type OpenWay = ReachWay & { readonly url: string }

export function openWays({ ways }: ReachState): readonly OpenWay[] {
  const open = ways.filter((way): way is OpenWay => way.url !== undefined)
  const { origin, hostname, protocol } = location
  if (LOOPBACK.has(hostname) || open.some(({ url }) => url === origin)) return open
  return [{ kind: 'address', url: origin, isEncrypted: protocol === 'https:' }, ...open]
}

type PhoneWaysProps = {
  readonly reach: ReachState
  readonly chosen: OpenWay | undefined
  readonly onChoose: (way: OpenWay) => void
}

export function PhoneWays({ reach, chosen, onChoose }: PhoneWaysProps) {
  const open = openWays(reach)
  return (
    <ul className="rows" aria-label={words.ways}>
      {open.map((way) => (
        <OpenRow
          key={way.url}
          way={way}
          isChosen={way.url === chosen?.url}
          onChoose={() => onChoose(way)}
        />
      ))}
      {reach.ways
        .filter(({ url }) => url === undefined)
        .map((way) => (
          <ClosedRow key={way.kind} way={way} />
        ))}
    </ul>
  )
}

type OpenRowProps = {
  readonly way: OpenWay
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function OpenRow({ way, isChosen, onChoose }: OpenRowProps) {
  const id = useId()
  return (
    <li className="list-row">
      <input
        type="radio"
        id={id}
        name="phone-way"
        checked={isChosen}
        aria-describedby={`${id}-text`}
        onChange={onChoose}
      />
      <div className="list-row-text">
        <label htmlFor={id}>{words.wayNames[way.kind]}</label>
        <p id={`${id}-text`} className="muted">
          <span className="mono">{way.url}</span>
          {!way.isEncrypted && ` · ${words.notEncrypted}`}
        </p>
      </div>
    </li>
  )
}

function ClosedRow({ way: { kind, problem, command } }: { way: ReachWay }) {
  return (
    <li className="list-row">
      <Icon name="cross" size={14} />
      <div className="list-row-text">
        <span>{words.wayNames[kind]}</span>
        <p className="muted">{problem && words.wayProblems[problem]}</p>
        {command !== undefined && (
          <div className="command-row">
            <pre className="command">{command}</pre>
            <CopyButton text={command} />
          </div>
        )}
      </div>
    </li>
  )
}
