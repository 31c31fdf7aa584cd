// The end of a session whose work tree was removed: a note takes the place of its composer.
import type { SessionView } from '@quayside/client/react'
import type { ReactNode } from 'react'
import { strings } from '../../strings/strings.js'
import { useWorkspace } from './use-workspace.js'

type UnlessRemovedProps = { readonly view: SessionView; readonly children: ReactNode }

export function UnlessRemoved({ view, children }: UnlessRemovedProps) {
  if (!useWorkspace(view)?.isRemoved) return children
  return <p className="banner">{strings.workspace.removedText}</p>
}
