// What a panel says when it has nothing else to show: that it loads, is empty, or failed.
import type { ReactNode } from 'react'

type NoticeProps = { readonly text: string; readonly children?: ReactNode }

export function Notice({ text, children }: NoticeProps) {
  return (
    <div className="panel-notice" role="status">
      <p>{text}</p>
      {children}
    </div>
  )
}
