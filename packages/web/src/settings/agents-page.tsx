// All agents: state, hub-wide settings, keys and sign-in.
import { useHub } from '@quayside/client/react'
import type { Extension, ExtensionDetail } from '@quayside/protocol'
import { useCallback, useState } from 'react'
import { AddOwnAgent } from '../agents/add-own-agent.js'
import { AgentKeys } from '../agents/agent-keys.js'
import { AgentRow } from '../agents/agent-row.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { Disclosure } from '../shared/controls/disclosure.js'
import { useHubObjects, useLists, useMay, useProbes } from '../hub/hub-context.js'
import { Icon } from '../shared/controls/icon.js'
import { problemOf } from '../shared/problem.js'
import { isPlain, type PlainValue } from '../shared/controls/schema-field.js'
import { showToast } from '../shared/controls/toasts.js'
import { Skeleton, Trouble } from '../shared/controls/trouble.js'
import { useLoaded } from '../shared/use-loaded.js'
import { strings } from '../strings/strings.js'
import { SettingsForm } from '../agents/settings-form.js'

const words = strings.agents

export function AgentsPage() {
  const { lists, probes } = useHubObjects()
  const { allAgents, isLoaded, problem } = useLists()
  const mayProbe = useMay('write')
  const maySetUp = useMay('admin')
  if (problem !== undefined)
    return <Trouble problem={problem} onRetry={() => void lists.refresh()} />
  if (!isLoaded) return <Skeleton />
  return (
    <>
      {!maySetUp && <p className="note">{words.adminOnly}</p>}
      <div className="dialog-actions start">
        {mayProbe && (
          <button
            type="button"
            className="button"
            onClick={() => allAgents.forEach(({ id, enabled }) => enabled && probes.check(id))}
          >
            <Icon name="refresh" size={14} />
            {strings.welcome.checkAgain}
          </button>
        )}
        {maySetUp && <AddOwnAgent />}
      </div>
      <ul className="agent-cards">
        {allAgents.map((agent) => (
          <AgentRow key={agent.id} agent={agent}>
            {agent.enabled && maySetUp && (
              <Disclosure
                className="agent-more"
                summary={
                  <>
                    <Icon name="chevron" size={12} />
                    {strings.common.settings}
                    <span className="visually-hidden"> {agent.name}</span>
                  </>
                }
              >
                <AgentDetails agent={agent} />
              </Disclosure>
            )}
          </AgentRow>
        ))}
      </ul>
    </>
  )
}

function AgentDetails({ agent }: { agent: Extension }) {
  const client = useHub()
  const { probes } = useHubObjects()
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { agents } = client
      const [detail, settings] = await Promise.all([
        agents.get(agent.id, { signal }),
        agents.settings(agent.id, { signal }),
      ])
      return { detail, settings }
    },
    [client, agent.id],
  )
  const { value, problem, reload } = useLoaded(read)
  if (problem !== undefined) return <Trouble problem={problem} onRetry={reload} />
  if (!value) return <Skeleton />
  const { detail, settings } = value
  const plain = Object.entries(settings).flatMap(([name, set]) =>
    isPlain(set) ? [[name, set] as const] : [],
  )

  async function save(changed: Readonly<Record<string, PlainValue>>) {
    const removed = plain.filter(([name]) => changed[name] === undefined)
    const gone = Object.fromEntries(removed.map(([name]) => [name, null]))
    await client.agents.changeSettings(agent.id, { ...changed, ...gone })
  }

  return (
    <div className="agent-details">
      {detail.description !== undefined && <p className="muted">{detail.description}</p>}
      <Facts detail={detail} />
      <h2 className="form-title">{words.settingsTitle}</h2>
      <p className="muted">{words.settingsNote}</p>
      <SettingsForm agentId={agent.id} values={Object.fromEntries(plain)} onSave={save} />
      {detail.auth && detail.auth.env.length > 0 && (
        <AgentKeys
          agentId={agent.id}
          keys={detail.auth.env}
          onSaved={() => {
            reload()
            probes.check(agent.id)
          }}
        />
      )}
      <div className="dialog-actions start">
        <SignOut agent={agent} />
        {agent.isOwn && <RemoveAgent agent={agent} />}
      </div>
    </div>
  )
}

function Facts({ detail: { id, install, website } }: { detail: ExtensionDetail }) {
  const probed = useProbes()[id]
  const probe = probed?.is === 'known' ? probed.probe : undefined
  return (
    <dl className="facts">
      {probe?.command !== undefined && (
        <>
          <dt>{words.command}</dt>
          <dd className="mono">{probe.command}</dd>
        </>
      )}
      {install !== undefined && (
        <>
          <dt>{words.install}</dt>
          <dd className="mono">{install}</dd>
        </>
      )}
      {probe && probe.abilities.length > 0 && (
        <>
          <dt>{words.abilities}</dt>
          <dd>{probe.abilities.join(', ')}</dd>
        </>
      )}
      {probe && probe.problems.length > 0 && (
        <>
          <dt>{words.problemsTitle}</dt>
          <dd>{probe.problems.join(' ')}</dd>
        </>
      )}
      {website !== undefined && (
        <>
          <dt>{words.website}</dt>
          <dd>
            <a href={website} target="_blank" rel="noopener noreferrer">
              {website}
            </a>
          </dd>
        </>
      )}
    </dl>
  )
}

function RemoveAgent({ agent }: { agent: Extension }) {
  const client = useHub()
  const { lists } = useHubObjects()
  const [isAsking, setAsking] = useState(false)
  const { ownAgent } = strings

  async function remove() {
    try {
      await client.agents.remove(agent.id)
      await lists.refreshAgents()
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
  }

  return (
    <>
      <button type="button" className="button danger" onClick={() => setAsking(true)}>
        {ownAgent.remove}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={ownAgent.removeTitle(agent.name)}
          text={ownAgent.removeText}
          action={ownAgent.removeAction}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Only a started agent reports whether it supports signing out. */
function SignOut({ agent }: { agent: Extension }) {
  const client = useHub()
  const { probes } = useHubObjects()
  const probed = useProbes()[agent.id]
  const capabilities = probed?.is === 'known' ? probed.probe.capabilities : {}
  const auth = Object(capabilities['auth']) as { logout?: unknown }
  if (auth.logout === undefined || auth.logout === null) return null

  async function signOut() {
    try {
      await client.agents.logout(agent.id)
      probes.check(agent.id)
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
  }

  return (
    <button type="button" className="button" onClick={() => void signOut()}>
      {words.signOut}
    </button>
  )
}
