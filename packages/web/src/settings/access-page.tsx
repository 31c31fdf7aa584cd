// Access to this hub: devices, tokens, and pairing.
import { Devices } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import { useAccess, useHubObjects, useMay } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { DeviceList } from './devices/device-list.js'
import { NewToken } from './devices/new-token.js'
import { PairDevice } from './devices/pair-device.js'
import { SettingsSection } from './settings-section.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.access

export function AccessPage() {
  const { access } = useHubObjects()
  const state = useAccess()
  const isAdmin = useMay('admin')
  const [problem, setProblem] = useState<string>()
  if (state.is !== 'signed_in') return null

  return (
    <>
      <p>
        {words.you} <b>{state.name}</b> · {words.scopes[state.scope]}
      </p>
      <p className="muted">{words.scopeTexts[state.scope]}</p>
      <button
        type="button"
        className="button"
        onClick={() => {
          access.signOut().catch((error: unknown) => setProblem(problemOf(error)))
        }}
      >
        {words.signOut}
      </button>
      <p className="problem" role="alert">
        {problem}
      </p>
      {isAdmin ? <Everybody ownId={state.id} /> : <p className="note">{words.adminOnly}</p>}
    </>
  )
}

function Everybody({ ownId }: { ownId: string | undefined }) {
  const client = useHub()
  const read = useCallback((signal: AbortSignal) => new Devices(client).list({ signal }), [client])
  const { value: devices, problem, reload } = useLoaded(read)
  return (
    <>
      <SettingsSection title={words.pair} text={words.pairText}>
        <PairDevice onUsed={reload} />
      </SettingsSection>
      <SettingsSection title={words.devices}>
        {problem !== undefined && <Trouble problem={problem} onRetry={reload} />}
        {devices === undefined && problem === undefined && <Skeleton />}
        {devices && <DeviceList devices={devices} ownId={ownId} onRevoked={reload} />}
      </SettingsSection>
      <SettingsSection title={words.newToken} text={words.newTokenText}>
        <NewToken onMade={reload} />
      </SettingsSection>
    </>
  )
}
