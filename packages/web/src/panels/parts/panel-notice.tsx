// What a panel says when it has nothing else to show: that it loads, is empty, or failed.
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
