// The permissions that wait beside the one on screen, and one answer for those of its kind.
import { escapeInvisible, type PermissionItem } from '@quayside/protocol'
import { Disclosure } from '../../shared/controls/disclosure.js'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import type { Alike } from './compound-answers.js'

const words = strings.session

type WaitingListProps = {
  readonly item: PermissionItem
  /** All that wait, the one on screen included. */
  readonly permissions: readonly PermissionItem[]
  readonly isDisabled: boolean
  readonly onAllow: (alike: readonly Alike[]) => void
}

export function WaitingList({ item, permissions, isDisabled, onAllow }: WaitingListProps) {
  if (permissions.length < 2) return null
  const alike = permissions.flatMap((one) => alikeOf(one, item))
  return (
    <Disclosure
      className="whole-input waiting-list"
      summary={
        <>
          <Icon name="chevron" size={12} />
          {words.alsoWaiting(permissions.length)}
        </>
      }
    >
      <ul>
        {permissions.map(({ id, toolCall }) => (
          <li key={id}>
            <code dir="ltr">{escapeInvisible(toolCall.title)}</code>
          </li>
        ))}
      </ul>
      {alike.length > 1 && (
        <button
          type="button"
          className="button"
          disabled={isDisabled}
          onClick={() => onAllow(alike)}
        >
          {words.allowAlike(alike.length)}
        </button>
      )}
    </Disclosure>
  )
}

/** A permission for the same kind of call, which the agent lets people allow once. */
function alikeOf(
  { permissionId, toolCall, options }: PermissionItem,
  shown: PermissionItem,
): readonly Alike[] {
  const once = options.find(({ kind }) => kind === 'allow_once')
  return once && toolCall.kind === shown.toolCall.kind ? [{ permissionId, once }] : []
}
