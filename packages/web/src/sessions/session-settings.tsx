// The settings of one session: title, launch settings, and the display preferences of this browser.
import { useHub } from '@quayside/client/react'
import type { SessionDetail, SessionSummary } from '@quayside/protocol'
import { useCallback, useState } from 'react'
import { Dialog } from '../shared/controls/dialog.js'
import { useLists } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { isPlain, SchemaField } from '../shared/controls/schema-field.js'
import type { FieldValue, PlainValue } from '../shared/controls/schema-field.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { SettingsForm } from '../agents/settings-form.js'
import { ViewPreferences } from './view-preferences.js'

const words = strings.sessionSettings

type SessionSettingsProps = { readonly session: SessionSummary; readonly onClose: () => void }

export function SessionSettings({ session, onClose }: SessionSettingsProps) {
  const client = useHub()
  const { repos, agents } = useLists()
  const [title, setTitle] = useState<FieldValue>(session.title ?? undefined)
  const agent = agents.find(({ id }) => id === session.extensionId)?.name ?? session.extensionId
  const base = repos.find(({ id }) => id === session.repoId)?.path
  const read = useCallback(
    (signal: AbortSignal) => client.sessions.get(session.id, { signal, messages: '0' }),
    [client, session.id],
  )
  const { value: detail, problem } = useLoaded(read)

  async function rename() {
    if (typeof title !== 'string' || title === session.title) return
    try {
      await client.sessions.change(session.id, { title })
      showToast({ text: strings.common.saved })
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="form" onBlur={() => void rename()}>
        <div className="form-row">
          <span className="form-label">{words.agent}</span>
          <span>{agent}</span>
        </div>
        <SchemaField
          field={{ id: 'title', type: 'text', label: words.label }}
          value={title}
          onChange={setTitle}
        />
      </div>
      {detail === undefined && problem === undefined && <Skeleton />}
      {detail && (
        <SettingsForm
          agentId={session.extensionId}
          session={{ base, onLeave: onClose }}
          values={settingsOf(detail)}
          onSave={async (settings) => {
            await client.sessions.change(session.id, { settings })
          }}
        />
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
      <p className="muted">{words.note}</p>
      <h3 className="form-title">{words.view}</h3>
      <ViewPreferences />
    </Dialog>
  )
}

/** Permissions and servers are settings too, but not fields of the form. */
function settingsOf({ settings = {} }: SessionDetail): Readonly<Record<string, PlainValue>> {
  const plain = Object.entries(settings).flatMap(([name, value]) =>
    isPlain(value) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(plain)
}
