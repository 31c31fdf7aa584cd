// The version of Quayside, and links to its documentation.
import { HubUpkeep } from '@quayside/client/admin'
import { useHub } from '@quayside/client/react'
import { useCallback } from 'react'
import { useLoaded } from '../shared/use-loaded.js'
import { settingsWords } from '../strings/settings-words.js'

const LICENCE = 'Apache-2.0'
const words = settingsWords.about

export function AboutPage() {
  const client = useHub()
  const read = useCallback(() => new HubUpkeep(client).health(), [client])
  const { value } = useLoaded(read)
  return (
    <>
      <p>{words.text}</p>
      <dl className="facts">
        <dt>{words.version}</dt>
        <dd>{value?.version}</dd>
        <dt>{words.licence}</dt>
        <dd>{LICENCE}</dd>
      </dl>
      <ul className="links">
        <li>
          <a href="/api/docs" target="_blank" rel="noopener">
            {words.docs}
          </a>
        </li>
        <li>
          <a href="/api/openapi.json" target="_blank" rel="noopener">
            {words.openapi}
          </a>
        </li>
      </ul>
    </>
  )
}
