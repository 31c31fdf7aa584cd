// The column of the pages before the sign-in: the logo, what is the matter, and how to start the hub.
import type { ReactNode } from 'react'
import { useCliCommand } from '../hub/cli-command.js'
import { Logo } from '../shared/controls/logo.js'

type EntryColumnProps = {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

export function EntryColumn({ title, text, children }: EntryColumnProps) {
  const start = `${useCliCommand()} start`
  return (
    <main className="sign-in">
      <div className="sign-in-column">
        <Logo size="large" />
        <h1 className="display">{title}</h1>
        <p className="lead">{text}</p>
        <pre className="command">{start}</pre>
        {children}
      </div>
    </main>
  )
}
