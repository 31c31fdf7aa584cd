// One agent of a comparison: its state, time, cost, changes and check, and the button that takes its work.
import type { ComparedSession } from '@quayside/protocol'
import type { ReactNode } from 'react'
import { useElapsed } from '../shared/clock.js'
import { CopyButton } from '../shared/controls/copy-button.js'
import { Disclosure } from '../shared/controls/disclosure.js'
import { Icon } from '../shared/controls/icon.js'
import { LineCounts } from '../shared/controls/line-counts.js'
import { Link, sessionPath } from '../shared/route.js'
import { price } from '../shared/text/price.js'
import { duration } from '../shared/text/times.js'
import { hubSentence } from '../strings/strings.js'
import { compareWords as words } from './compare-words.js'
import { SessionDiffs } from './session-diffs.js'

const LOOKS = {
  working: 'working',
  waiting: 'attention',
  done: 'done',
  failed: 'danger',
  cancelled: 'idle',
} as const
const CHECK_LOOKS = {
  running: 'working',
  passed: 'done',
  failed: 'danger',
  unknown: 'idle',
} as const

type ComparedSessionCardProps = {
  readonly session: ComparedSession
  readonly agentName: string
  /** The repository has a check command. */
  readonly hasCheck: boolean
  readonly isTaken: boolean
  /** Undefined when a session was taken already, or when this person may not take one. */
  readonly onTake: (() => void) | undefined
  readonly onCheck: (() => void) | undefined
}

export function ComparedSessionCard(props: ComparedSessionCardProps) {
  const { session, agentName, hasCheck, isTaken, onTake, onCheck } = props
  const { id, outcome, cost, changes, workspace } = session
  const isGivenUp = workspace?.isRemoved === true
  const state = isTaken ? words.taken : isGivenUp ? words.givenUp : words.outcomes[outcome]
  const look = isTaken ? 'done' : isGivenUp ? 'idle' : LOOKS[outcome]
  return (
    <li className="compared" data-taken={isTaken || undefined}>
      <header className="compared-head">
        <h2 className="compared-name">{agentName}</h2>
        <span className={`pill ${look}`}>
          <i className={`dot ${look}`} />
          {state}
        </span>
      </header>
      <dl className="compared-facts">
        <Fact name={words.time}>
          <Time session={session} />
        </Fact>
        <Fact name={words.cost}>{cost ? price(cost) : '–'}</Fact>
        <Fact name={words.changes}>
          {changes === undefined ? (
            '–'
          ) : changes.files === 0 ? (
            words.noChanges
          ) : (
            <>
              {words.files(changes.files)}
              <LineCounts {...changes} />
            </>
          )}
        </Fact>
        {hasCheck && (
          <Fact name={words.check}>
            <Check session={session} onCheck={onCheck} />
          </Fact>
        )}
      </dl>
      {workspace?.kept !== undefined && <Kept reference={workspace.kept} />}
      <div className="compared-actions">
        <Link className="button" href={sessionPath(id)}>
          {words.open}
        </Link>
        {onTake && (
          <button
            type="button"
            className="button primary"
            aria-label={words.takeOf(agentName)}
            onClick={onTake}
          >
            {words.take}
          </button>
        )}
      </div>
      {changes !== undefined && changes.files > 0 && (
        <Disclosure
          // A new key loads the diffs again.
          key={`${changes.files} ${changes.added} ${changes.removed}`}
          className="compared-diffs"
          isOpen={outcome !== 'working'}
          summary={
            <span className="compared-diffs-head">
              <Icon name="chevron" size={12} />
              {words.showDiffs}
            </span>
          }
        >
          <SessionDiffs session={session} agentName={agentName} />
          <Link className="quiet-button" href={sessionPath(id, { tab: 'changes' })}>
            {words.review}
          </Link>
        </Disclosure>
      )}
    </li>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="compared-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Time({ session: { startedAt, seconds } }: { readonly session: ComparedSession }) {
  if (startedAt !== undefined) return <Running since={Date.parse(startedAt)} />
  return seconds === undefined ? '–' : duration(seconds * 1_000)
}

function Running({ since }: { readonly since: number }) {
  return duration(Math.floor(useElapsed(since) / 1_000) * 1_000)
}

type CheckProps = Pick<ComparedSessionCardProps, 'session' | 'onCheck'>

function Check({ session: { id, workspace }, onCheck }: CheckProps) {
  const check = workspace?.check
  const again = onCheck && check?.state !== 'running' && (
    <button
      type="button"
      className="icon-button small"
      aria-label={words.checkAgain}
      title={words.checkAgain}
      onClick={onCheck}
    >
      <Icon name="refresh" size={14} />
    </button>
  )
  if (check === undefined)
    return (
      <>
        {words.noCheckYet}
        {again}
      </>
    )
  const { state, exitCode = 0, seconds, reason, terminalId } = check
  const details = [
    ...(state === 'failed' && exitCode !== 0 ? [words.exitCode(exitCode)] : []),
    ...(seconds === undefined ? [] : [duration(seconds * 1_000)]),
    ...(reason === undefined ? [] : [hubSentence(reason)]),
  ]
  return (
    <>
      <span className={`pill ${CHECK_LOOKS[state]}`}>{words.checks[state]}</span>
      {details.length > 0 && <span className="muted">{details.join(' · ')}</span>}
      {terminalId !== undefined && !workspace?.isRemoved && (
        <Link href={sessionPath(id, { tab: 'terminals', terminal: terminalId })}>
          {words.output}
        </Link>
      )}
      {again}
    </>
  )
}

function Kept({ reference }: { readonly reference: string }) {
  return (
    <div className="compared-kept">
      <p className="muted">{words.keptAs}</p>
      <div className="command-row">
        <pre className="command">{reference}</pre>
        <CopyButton text={reference} />
      </div>
    </div>
  )
}
