// One terminal: its output so far and from now on, and the keys that a person types.
import type { Terminal, TerminalExit } from '@quayside/client'
import { ClientError } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import { escapeInvisible } from '@quayside/protocol'
import { useCallback, useEffect, useRef, useState } from 'react'
import { problemOf } from '../../shared/problem.js'
import { strings } from '../../strings/strings.js'
import { followOnScreen } from './follow-on-screen.js'
import { HelperKeys } from './helper-keys.js'
import { Question } from './question.js'
import { TerminalScreen } from './terminal-screen.js'
import { TerminalSearch } from './terminal-search.js'

const words = strings.panels

type TerminalViewProps = {
  readonly terminal: Terminal
  readonly onExit: () => void
}

/** A paste or link that waits for confirmation: a program's output can neither paste nor open anything. */
type Waiting =
  | { readonly is: 'paste'; readonly text: string }
  | { readonly is: 'link'; readonly address: string }

export function TerminalView({ terminal: { id, label, exit: known }, onExit }: TerminalViewProps) {
  const client = useHub()
  const container = useRef<HTMLDivElement>(null)
  const [screen, setScreen] = useState<TerminalScreen>()
  const [exit, setExit] = useState<TerminalExit | null | undefined>(known ?? undefined)
  const [skippedBytes, setSkippedBytes] = useState(0)
  const [waiting, setWaiting] = useState<Waiting>()
  const [problem, setProblem] = useState<string>()

  const type = useCallback(
    (data: string) => {
      setProblem(undefined)
      terminalsOf(client)
        .write(id, data)
        .catch((error: unknown) => setProblem(inWords(error)))
    },
    [client, id],
  )

  useEffect(() => {
    if (!container.current) return undefined
    const abort = new AbortController()
    const shown = new TerminalScreen(container.current, {
      onType: type,
      // A lost resize is harmless: the next one is sent too.
      onResize: (size) =>
        void terminalsOf(client)
          .resize(id, size)
          .catch(() => {}),
      onLongPaste: (text) => setWaiting({ is: 'paste', text }),
      onLink: (address) => setWaiting({ is: 'link', address }),
    })
    setScreen(shown)
    const follow = async () => {
      const parts = { client, id, screen: shown, signal: abort.signal }
      const ended = await followOnScreen({ ...parts, onSkipped: setSkippedBytes })
      if (abort.signal.aborted) return
      setExit(ended)
      onExit()
    }
    follow().catch((error: unknown) => setProblem(inWords(error)))
    if (matchMedia('(pointer: fine)').matches) shown.focus()
    return () => {
      abort.abort()
      shown.dispose()
    }
  }, [client, id, type, onExit])

  return (
    <>
      {skippedBytes > 0 && (
        <p className="panel-note terminal-note">{words.skipped(skippedBytes)}</p>
      )}
      <div className="terminal-screen">
        <div ref={container} className="terminal-place" role="group" aria-label={label} />
        {screen && <TerminalSearch screen={screen} />}
      </div>
      {exit !== undefined && (
        <p className="terminal-exit" role="status" data-failed={exit?.exitCode !== 0}>
          {words.exited(exit?.exitCode ?? null, exit?.signal ?? null)}
        </p>
      )}
      {problem && (
        <p className="panel-problem" role="alert">
          {problem}
        </p>
      )}
      {waiting && screen && (
        <Waits waiting={waiting} screen={screen} onDone={() => setWaiting(undefined)} />
      )}
      {screen && exit === undefined && <HelperKeys screen={screen} onType={type} />}
    </>
  )
}

type WaitsProps = {
  readonly waiting: Waiting
  readonly screen: TerminalScreen
  readonly onDone: () => void
}

function Waits({ waiting, screen, onDone }: WaitsProps) {
  function done() {
    onDone()
    screen.focus()
  }

  if (waiting.is === 'link')
    return (
      <Question text={words.linkQuestion} detail={escapeInvisible(waiting.address)}>
        {/^https?:\/\//i.test(waiting.address) && (
          <a
            className="button"
            href={waiting.address}
            target="_blank"
            rel="noopener noreferrer"
            onClick={done}
          >
            {words.openLink}
          </a>
        )}
        <button className="button" onClick={done}>
          {words.dismiss}
        </button>
      </Question>
    )

  const { text } = waiting
  const lines = text.trimEnd().split(/\r\n?|\n/).length
  return (
    <Question text={words.pasteQuestion(lines)} detail={escapeInvisible(text.replaceAll('\r', ''))}>
      <button
        className="button primary"
        onClick={() => {
          screen.paste(text)
          done()
        }}
      >
        {words.paste}
      </button>
      <button className="button" onClick={done}>
        {strings.common.cancel}
      </button>
    </Question>
  )
}

function inWords(error: unknown): string {
  const isLost = error instanceof ClientError && error.code === 'unreachable'
  return isLost ? words.notTyped : problemOf(error)
}
