// The repositories that an admin added from outside of the root folders, each with a button that removes it.
import { useHub } from '@quayside/client/react'
import { useCallback, useState } from 'react'
import { useHubObjects } from '../hub/hub-context.js'
import { ConfirmDialog } from '../shared/controls/dialog.js'
import { Icon } from '../shared/controls/icon.js'
import { showToast } from '../shared/controls/toasts.js'
import { problemOf } from '../shared/problem.js'
import { useLoaded } from '../shared/use-loaded.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.repositories

export function AddedRoots() {
  const client = useHub()
  const { lists } = useHubObjects()
  const [removing, setRemoving] = useState<string>()
  const read = useCallback(
    async (signal: AbortSignal) => {
      const { roots } = await client.http.call('GET /api/roots', {}, { signal })
      return roots.filter(({ isAdded }) => isAdded)
    },
    [client],
  )
  const { value: roots = [], reload } = useLoaded(read)

  async function remove(path: string) {
    try {
      await client.http.call('DELETE /api/roots', { path })
      reload()
      await lists.refresh()
    } catch (error) {
      showToast({ text: problemOf(error) })
    }
  }

  if (roots.length === 0) return null
  return (
    <>
      <h2 className="form-title">{words.addedRoots}</h2>
      <ul className="rows">
        {roots.map(({ path }) => (
          <li key={path} className="list-row">
            <Icon name="folder" />
            <div className="list-row-text">
              <span className="mono">{path}</span>
            </div>
            <button
              type="button"
              className="button"
              aria-label={words.removeRootNamed(path)}
              onClick={() => setRemoving(path)}
            >
              {words.removeRoot}
            </button>
          </li>
        ))}
      </ul>
      {removing !== undefined && (
        <ConfirmDialog
          title={words.removeRootTitle(removing)}
          text={words.removeRootText}
          action={words.removeRoot}
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}
