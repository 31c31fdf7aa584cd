// The notice of a panel without content: loading, empty, or failed.
import type { ReactNode } from 'react'

type PanelNoticeProps = { readonly text: string; readonly children?: ReactNode }

export function PanelNotice({ text, children }: PanelNoticeProps) {
  return (
    <div className="panel-notice" role="status">
      <p>{text}</p>
      {children}
    </div>
  )
}
