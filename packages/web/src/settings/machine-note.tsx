// Names the machine that a page of the settings is about, when several share the hub's database.
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import type { SettingsPageName } from '../shared/route.js'
import { useLoaded } from '../shared/use-loaded.js'
import { settingsWords } from '../strings/settings-words.js'

const words = settingsWords.ofMachine
type PageOfMachine = keyof typeof words

export function MachineNote({ page }: { readonly page: SettingsPageName }) {
  return isOfMachine(page) ? <Note page={page} /> : null
}

function Note({ page }: { readonly page: PageOfMachine }) {
  const client = useHub()
  const read = useCallback(
    async (signal: AbortSignal) => (await client.http.call('GET /api/hubs', {}, { signal })).hubs,
    [client],
  )
  const { value: hubs = [] } = useLoaded(read)
  const here = hubs.find(({ state }) => state === 'here')
  if (hubs.length < 2 || here === undefined) return null
  return (
    <p className="note" data-testid="machine-note">
      {words[page](here.name)}
    </p>
  )
}

function isOfMachine(page: SettingsPageName): page is PageOfMachine {
  return Object.hasOwn(words, page)
}
