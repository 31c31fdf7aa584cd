// The changed files that other sessions of the same work tree wrote, by session. They are not part of the review.
import type { SessionChanges } from '@quayside/client'
import { showPanel } from '../../shared/panel-location.js'
import { Link, sessionPath } from '../../shared/route.js'
import { strings } from '../../strings/strings.js'
import { FileRow } from './changed-files.js'

const words = strings.panels

type KnownFile = Extract<SessionChanges, { is: 'known' }>['files'][number]

type OtherFilesProps = { readonly sessionId: string; readonly files: readonly KnownFile[] }

export function OtherFiles({ sessionId, files }: OtherFilesProps) {
  const ids = [...new Set(files.flatMap(({ by }) => by?.sessionId ?? []))]
  return ids.map((id) => {
    const theirs = files.filter(({ by }) => by?.sessionId === id)
    const title = theirs[0]?.by?.title ?? strings.common.newSession
    return (
      <section key={id} className="changes-others" aria-label={words.changedBy(title)}>
        <h3>
          {words.changedByOther} <Link href={sessionPath(id, { tab: 'changes' })}>{title}</Link>
        </h3>
        <ul>
          {theirs.map((file) => (
            <li key={file.path}>
              <FileRow
                file={file}
                onChoose={({ path }) => showPanel(sessionId, 'files', { file: path })}
              />
            </li>
          ))}
        </ul>
      </section>
    )
  })
}
