// The preview panel: a local port that the session's agent or a terminal has opened, shown by the hub on an origin of its own.
import { useHub } from '@quayside/client/react'
import type { PreviewPort } from '@quayside/protocol'
import { useCallback, useEffect, useState } from 'react'
import { useMay } from '../../hub/hub-context.js'
import { Icon } from '../../shared/controls/icon.js'
import { problemOf } from '../../shared/problem.js'
import { useLoaded } from '../../shared/use-loaded.js'
import { strings } from '../../strings/strings.js'
import { PanelNotice } from '../parts/panel-notice.js'

const words = strings.panels
const POLL_MS = 3_000
/** The frame keeps its own origin, which is not the page's, and cannot navigate the page. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-downloads'

export function PreviewPanel({ sessionId }: { readonly sessionId: string }) {
  return useMay('write') ? (
    <Ports sessionId={sessionId} />
  ) : (
    <PanelNotice text={words.previewScope} />
  )
}

function Ports({ sessionId }: { readonly sessionId: string }) {
  const client = useHub()
  const read = useCallback(
    async (signal: AbortSignal) =>
      (await client.http.call('GET /api/sessions/{sessionId}/previews', { sessionId }, { signal }))
        .ports,
    [client, sessionId],
  )
  const { value: ports, problem, reload } = useLoaded(read)
  const [chosen, setChosen] = useState<number>()
  const port = chosen ?? ports?.[0]?.port

  useEffect(() => {
    if (port !== undefined) return undefined
    const timer = setInterval(reload, POLL_MS)
    return () => clearInterval(timer)
  }, [port, reload])

  if (problem !== undefined) return <PanelNotice text={problem} />
  if (!ports) return <PanelNotice text={strings.common.loading} />
  if (port === undefined) return <PanelNotice text={words.noPorts} />
  return (
    <Preview
      key={port}
      sessionId={sessionId}
      port={port}
      ports={ports}
      onChoose={(next) => {
        setChosen(next)
        reload()
      }}
    />
  )
}

type PreviewProps = {
  readonly sessionId: string
  readonly port: number
  readonly ports: readonly PreviewPort[]
  readonly onChoose: (port: number) => void
}

function Preview({ sessionId, port, ports, onChoose }: PreviewProps) {
  const client = useHub()
  const open = useCallback(async () => {
    const input = { sessionId, port }
    const preview = await client.http.call('POST /api/sessions/{sessionId}/previews', input)
    const here = `${location.protocol}//${location.hostname}:${preview.port}`
    return (preview.origin ?? here) + preview.path
  }, [client, sessionId, port])
  const { value: address, problem, isLoading, reload } = useLoaded(open)
  const [failure, setFailure] = useState<string>()

  async function openTab() {
    // The tab is opened during the click: browsers block one that is opened after the answer.
    const tab = window.open('about:blank')
    try {
      const url = await open()
      if (tab) tab.location.href = url
    } catch (error) {
      tab?.close()
      setFailure(problemOf(error))
    }
  }

  return (
    <>
      <div className="panel-bar preview-bar">
        <select
          className="field"
          aria-label={words.port}
          value={port}
          onChange={({ target }) => onChoose(Number(target.value))}
        >
          {[...new Map([[port, ''], ...ports.map((one) => [one.port, one.program] as const)])].map(
            ([number, program]) => (
              <option key={number} value={number}>
                {program === '' ? number : `${number} · ${program}`}
              </option>
            ),
          )}
        </select>
        <button className="icon-button small" aria-label={words.reloadPreview} onClick={reload}>
          <Icon name="refresh" />
        </button>
        <button
          className="icon-button small"
          aria-label={words.openPreview}
          onClick={() => void openTab()}
        >
          <Icon name="external" />
        </button>
      </div>
      <p className="problem" role="alert">
        {failure ?? problem}
      </p>
      {address !== undefined && problem === undefined && !isLoading && (
        <iframe className="preview" title={words.previewOf(port)} src={address} sandbox={SANDBOX} />
      )}
    </>
  )
}
