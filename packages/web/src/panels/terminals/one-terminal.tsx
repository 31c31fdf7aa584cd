// One terminal, with its folder and the close button above it.
import type { Terminal } from '@quayside/client'
import { terminalsOf } from '@quayside/client/terminals'
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import { problemOf } from '../../shared/problem.js'
import { strings } from '../../strings/strings.js'
import { shown } from '../../shared/controls/path-text.js'
import { Question } from './question.js'
import { TerminalView } from './terminal-view.js'

const words = strings.panels

type OneTerminalProps = {
  readonly terminal: Terminal
  /** Called when its program has exited. */
  readonly onChange: () => void
  /** Called when the terminal was removed. */
  readonly onClosed: () => void
}

export function OneTerminal({ terminal, onChange, onClosed }: OneTerminalProps) {
  const client = useHub()
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string>()

  function close() {
    setAsking(false)
    terminalsOf(client)
      .close(terminal.id)
      .then(onClosed, (error: unknown) => setProblem(problemOf(error)))
  }

  return (
    <div id="terminal" className="terminal" role="tabpanel" aria-label={shown(terminal.label)}>
      <div className="terminal-about">
        <span className="terminal-cwd" dir="ltr">
          {shown(terminal.cwd)}
        </span>
        <button
          className="panel-action"
          onClick={() => (terminal.exit === null ? setAsking(true) : close())}
        >
          {words.closeTerminal}
        </button>
      </div>
      {isAsking && (
        <Question text={words.closeQuestion}>
          <button className="button danger" onClick={close}>
            {words.closeTerminal}
          </button>
          <button className="button" onClick={() => setAsking(false)}>
            {words.keepTerminal}
          </button>
        </Question>
      )}
      {problem && (
        <p className="panel-problem" role="alert">
          {problem}
        </p>
      )}
      <TerminalView terminal={terminal} onExit={onChange} />
    </div>
  )
}
