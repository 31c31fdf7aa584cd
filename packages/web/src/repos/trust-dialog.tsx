// Asks for trust before agents run in a repository, and lists the configuration that they would follow.
import type { TrustOptions } from '@quayside/client'
import { useHub } from '@quayside/client/react'
import { useState } from 'react'
import { Dialog, DialogActions } from '../shared/controls/dialog.js'
import { useLists } from '../hub/hub-context.js'
import { problemOf } from '../shared/problem.js'
import { strings } from '../strings/strings.js'

type TrustDialogProps = {
  readonly repoId: string
  readonly details: Readonly<Record<string, unknown>>
  readonly onSettled: (isTrusted: boolean) => void
}

const words = strings.trust

export function TrustDialog({ repoId, details, onSettled }: TrustDialogProps) {
  const client = useHub()
  const { repos } = useLists()
  const [problem, setProblem] = useState<string>()
  const name = repos.find(({ id }) => id === repoId)?.name ?? repoId
  const hasChanged = details['hasChanged'] === true
  const files = filesOf(details['files'])

  async function trust() {
    try {
      await client.repos.trust(repoId, shownOf(details))
      onSettled(true)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <Dialog
      title={hasChanged ? words.changedTitle(name) : words.title(name)}
      onClose={() => onSettled(false)}
    >
      {hasChanged && <p className="dialog-text">{words.changedText}</p>}
      <p className="dialog-text">{words.text}</p>
      {files.length > 0 ? (
        <>
          <h3 className="form-title">{words.files}</h3>
          <ul className="file-names">
            {files.map((file) => (
              <li key={file} className="mono">
                {file}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="muted">{words.noFiles}</p>
      )}
      <p className="problem" role="alert">
        {problem}
      </p>
      <DialogActions onCancel={() => onSettled(false)}>
        <button type="button" className="button primary" onClick={() => void trust()}>
          {words.action}
        </button>
      </DialogActions>
    </Dialog>
  )
}

/** A hub that sends no hash trusts the configuration it has now. */
function shownOf({ hash, cwd }: TrustDialogProps['details']): TrustOptions {
  return {
    ...(typeof hash === 'string' && { hash }),
    ...(typeof cwd === 'string' && { cwd }),
  }
}

function filesOf(files: unknown): readonly string[] {
  if (!Array.isArray(files)) return []
  return files.map((file: unknown) => {
    const { path } = Object(file) as { path?: unknown }
    return typeof path === 'string' ? path : String(file)
  })
}
