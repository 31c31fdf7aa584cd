// The wire panel: every message between the hub and the session's agent, unchanged, for debugging.
import { strings } from '../../strings/strings.js'
import { useMemo, useState } from 'react'
import { CopyButton } from '../../shared/controls/copy-button.js'
import { PanelNotice } from '../parts/panel-notice.js'
import { useWire } from './use-wire.js'
import { matching, type WireEntry, type WireFilter } from './wire-frames.js'
import { WireList } from './wire-list.js'

const words = strings.panels

const DOWNLOAD_LIMIT = 10_000

export function WirePanel({ sessionId }: { sessionId: string }) {
  const [isPaused, setPaused] = useState(false)
  const [filter, setFilter] = useState<WireFilter>({ direction: 'all', method: '', text: '' })
  const [cleared, setCleared] = useState(0)
  const { entries: all, problem } = useWire(sessionId, isPaused)
  // The hub returns its newest messages on every poll, so cleared messages are remembered.
  const entries = useMemo(() => all?.filter(({ id }) => id > cleared), [all, cleared])
  const shown = useMemo(() => matching(entries ?? [], filter), [entries, filter])
  const address = `/api/sessions/${encodeURIComponent(sessionId)}/wire?format=jsonl&limit=${DOWNLOAD_LIMIT}`

  return (
    <>
      <div className="panel-bar wire-bar">
        <Filters entries={entries ?? []} filter={filter} onChange={setFilter} />
        <input
          className="panel-select wire-find"
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          value={filter.text}
          onChange={({ target }) => setFilter({ ...filter, text: target.value })}
        />
        <div className="wire-actions">
          <button
            className="panel-action"
            aria-pressed={isPaused}
            onClick={() => setPaused((was) => !was)}
          >
            {isPaused ? words.resume : words.pause}
          </button>
          <button className="panel-action" onClick={() => setCleared(all?.at(-1)?.id ?? 0)}>
            {words.clear}
          </button>
          <CopyButton text={curlOf(address)} className="panel-action">
            {words.copyCurl}
          </CopyButton>
          <a className="panel-action" download href={address}>
            {words.downloadLines}
          </a>
        </div>
      </div>
      {problem && (
        <p className="panel-problem" role="alert">
          {problem}
        </p>
      )}
      {!entries && !problem && <PanelNotice text={strings.common.loading} />}
      {entries && shown.length === 0 && (
        <PanelNotice text={entries.length === 0 ? words.wireEmpty : words.wireNone} />
      )}
      {shown.length > 0 && <WireList sessionId={sessionId} entries={shown} />}
      <p className="panel-note wire-note">{words.wireNote}</p>
    </>
  )
}

/** A command for any machine that reaches the hub; the person inserts their own token. */
function curlOf(address: string): string {
  return `curl -H "Authorization: Bearer $QUAYSIDE_TOKEN" '${location.origin}${address}'`
}

type FiltersProps = {
  readonly entries: readonly WireEntry[]
  readonly filter: WireFilter
  readonly onChange: (filter: WireFilter) => void
}

function Filters({ entries, filter, onChange }: FiltersProps) {
  const methods = [...new Set(entries.map(({ method }) => method).filter(Boolean))].toSorted()
  return (
    <>
      <select
        className="panel-select"
        aria-label={words.direction}
        value={filter.direction}
        onChange={({ target }) =>
          onChange({ ...filter, direction: target.value as WireFilter['direction'] })
        }
      >
        {Object.entries(words.directions).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <select
        className="panel-select"
        aria-label={words.method}
        value={filter.method}
        onChange={({ target }) => onChange({ ...filter, method: target.value })}
      >
        <option value="">{words.anyMethod}</option>
        {methods.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </select>
    </>
  )
}
