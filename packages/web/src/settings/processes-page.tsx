// The processes on the hub's computer: their session, their resources, and a button to end them.
import { HubUpkeep } from '@quayside/client/admin'
import type { RunningProcess } from '@quayside/client'
import { useHub, useSessions } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import { LIVE_SESSIONS } from '../sessions/session-queries.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { useMay } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { Link, sessionPath } from '../shared/route.js'
import { bytes } from '../shared/text/sizes.js'
import { timeAgo } from '../shared/text/times.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.processes

export function ProcessesPage() {
  const client = useHub()
  const read = useCallback(
    (signal: AbortSignal) => new HubUpkeep(client).processes({ signal }),
    [client],
  )
  const { value: processes, problem, reload, set, isLoading } = useLoaded(read)
  const [stopping, setStopping] = useState<RunningProcess>()
  const [failure, setFailure] = useState<string>()

  async function stop(pid: number) {
    setFailure(undefined)
    try {
      set(await new HubUpkeep(client).stopProcess(pid))
    } catch (error) {
      setFailure(problemOf(error))
      reload()
    }
  }

  return (
    <>
      <p className="muted">{words.text}</p>
      <button type="button" className="button" disabled={isLoading} onClick={reload}>
        <Icon name="refresh" size={14} />
        {words.refresh}
      </button>
      {problem !== undefined && <Trouble problem={problem} onRetry={reload} />}
      <p className="problem" role="alert">
        {failure}
      </p>
      {processes === undefined && problem === undefined && <Skeleton />}
      {processes?.length === 0 && <p className="note">{words.empty}</p>}
      <ul className="rows">
        {processes?.map((process) => (
          <ProcessRow key={process.pid} process={process} onStop={() => setStopping(process)} />
        ))}
      </ul>
      {stopping && (
        <ConfirmDialog
          title={words.stopTitle(stopping.name)}
          text={words.stopText}
          action={words.stop}
          onConfirm={() => void stop(stopping.pid)}
          onClose={() => setStopping(undefined)}
        />
      )}
    </>
  )
}

function ProcessRow({ process, onStop }: { process: RunningProcess; onStop: () => void }) {
  const { pid, name, kind, rssBytes, processes: count, startedAt } = process
  const mayStop = useMay('write')
  const facts = [
    kind === 'terminal' && words.terminal,
    rssBytes !== undefined && bytes(rssBytes),
    count !== undefined && count > 1 && words.processCount(count),
    timeAgo(startedAt),
  ]
  return (
    <li className="list-row">
      <Icon name={kind === 'terminal' ? 'terminal' : 'bolt'} />
      <div className="list-row-text">
        <b>
          {name} <span className="muted mono">{pid}</span>
        </b>
        <span className="muted">{facts.filter(Boolean).join(' · ')}</span>
        <WorksFor process={process} />
      </div>
      {mayStop && (
        <button
          type="button"
          className="button"
          aria-label={words.stopNamed(name, pid)}
          onClick={onStop}
        >
          {words.stop}
        </button>
      )}
    </li>
  )
}

function WorksFor({ process: { kind, sessionIds } }: { process: RunningProcess }) {
  const { sessions } = useSessions(LIVE_SESSIONS)
  if (sessionIds.length === 0)
    return kind === 'agent' ? <span className="muted">{words.waits}</span> : null
  return (
    <span>
      {sessionIds.map((id) => (
        <Link key={id} href={sessionPath(id)}>
          {sessions.find((session) => session.id === id)?.title ?? strings.common.newSession}
        </Link>
      ))}
    </span>
  )
}
