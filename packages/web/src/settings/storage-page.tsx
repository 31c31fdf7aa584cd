// Disk usage, and the removal of old sessions.
import { HubUpkeep } from '@quayside/client/admin'
import type { CleaningPlan } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { useMay } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { SchemaField, type FieldValue } from '../shared/controls/schema-field.js'
import { bytes } from '../shared/text/sizes.js'
import { timeAgo } from '../shared/text/times.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { SettingsSection } from './settings-section.js'
import { settingsWords } from '../strings/settings-words.js'
import { strings } from '../strings/strings.js'

const words = settingsWords.storage
const PARTS = ['database', 'media', 'wire', 'backups', 'setAside', 'other'] as const
const DAYS = { id: 'days', type: 'number', label: words.olderThan, min: 0, max: 36_500 } as const

export function StoragePage() {
  const client = useHub()
  const read = useCallback(
    (signal: AbortSignal) => new HubUpkeep(client).storage({ signal }),
    [client],
  )
  const { value: use, problem, reload } = useLoaded(read)
  const mayClean = useMay('admin')
  if (problem !== undefined) return <Trouble problem={problem} onRetry={reload} />
  if (!use) return <Skeleton />
  return (
    <>
      <p>{words.total(bytes(use.totalBytes), bytes(use.freeBytes))}</p>
      <p className="muted">
        {words.where} <span className="mono">{use.dataDir}</span>
      </p>
      <dl className="facts sizes">
        {PARTS.filter((part) => use[part].bytes > 0).map((part) => (
          <div key={part}>
            <dt>{words.parts[part]}</dt>
            <dd>
              {bytes(use[part].bytes)} · {words.files(use[part].files)}
            </dd>
          </div>
        ))}
      </dl>
      {mayClean && (
        <SettingsSection title={words.clean} text={words.cleanText}>
          <Cleaning onCleaned={reload} />
        </SettingsSection>
      )}
    </>
  )
}

function Cleaning({ onCleaned }: { onCleaned: () => void }) {
  const client = useHub()
  const [days, setDays] = useState<FieldValue>(90)
  const [plan, setPlan] = useState<CleaningPlan>()
  const [isSure, setSure] = useState(false)
  const [problem, setProblem] = useState<string>()
  const policy = typeof days === 'number' && days >= 0 ? { olderThanDays: days } : undefined

  async function attempt(action: () => Promise<void>) {
    setProblem(undefined)
    try {
      await action()
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  const preview = () =>
    attempt(async () => policy && setPlan(await new HubUpkeep(client).planCleaning(policy)))
  const clean = () =>
    attempt(async () => {
      if (!policy) return
      const { removed } = await new HubUpkeep(client).clean(policy)
      showToast({ text: words.cleaned(removed.length) })
      setPlan(undefined)
      onCleaned()
    })

  return (
    <div className="form">
      <SchemaField
        field={DAYS}
        value={days}
        onChange={(value) => {
          setDays(value)
          setPlan(undefined)
        }}
      />
      <div className="dialog-actions start">
        <button type="button" className="button" disabled={!policy} onClick={() => void preview()}>
          {words.plan}
        </button>
      </div>
      <p className="problem" role="alert">
        {problem}
      </p>
      {plan && <Plan plan={plan} onClean={() => setSure(true)} />}
      {plan && isSure && (
        <ConfirmDialog
          title={words.cleanTitle(plan.sessions.length)}
          text={words.cleanText}
          action={words.cleanAction(plan.sessions.length)}
          onConfirm={() => void clean()}
          onClose={() => setSure(false)}
        />
      )}
    </div>
  )
}

function Plan({ plan, onClean }: { plan: CleaningPlan; onClean: () => void }) {
  const { sessions, databaseBytes, media, workTrees } = plan
  if (sessions.length === 0)
    return (
      <p className="note" role="status">
        {words.nothing}
      </p>
    )
  const freed = bytes(databaseBytes + media.bytes + workTrees.bytes)
  return (
    <div role="status">
      <p>{words.planned(sessions.length, freed)}</p>
      <ul className="rows">
        {sessions.slice(0, 20).map(({ id, title, endedAt, bytes: size, unsaved, discarded }) => (
          <li key={id} className="list-row">
            <span className="list-row-text">{title ?? words.untitled}</span>
            <span className="muted">
              {timeAgo(endedAt)} · {bytes(size)}
              {unsaved && ` · ${strings.workspace.unsavedShort}`}
              {discarded !== undefined && ` · ${strings.workspace.discardedShort}`}
            </span>
          </li>
        ))}
      </ul>
      <button type="button" className="button danger" onClick={onClean}>
        {words.cleanAction(sessions.length)}
      </button>
    </div>
  )
}
