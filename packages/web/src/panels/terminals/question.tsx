// A question below a terminal, with its subject as plain text.
import type { ReactNode } from 'react'

type QuestionProps = {
  readonly text: string
  readonly detail?: string
  readonly children: ReactNode
}

export function Question({ text, detail, children }: QuestionProps) {
  return (
    <div className="panel-question" role="alertdialog" aria-label={text}>
      <p>{text}</p>
      {detail !== undefined && (
        <pre className="panel-question-detail" tabIndex={0}>
          {detail}
        </pre>
      )}
      <div className="panel-question-buttons">{children}</div>
    </div>
  )
}
