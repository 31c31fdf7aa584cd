// A titled section of a settings page.
import type { ReactNode } from 'react'

type SectionProps = { readonly title: string; readonly text?: string; readonly children: ReactNode }

export function SettingsSection({ title, text, children }: SectionProps) {
  return (
    <section className="settings-section">
      <h2 className="form-title">{title}</h2>
      {text !== undefined && <p className="muted">{text}</p>}
      {children}
    </section>
  )
}
