// What stays of a decision in the timeline: who chose what. While it is open it is asked above the composer.
import {
  asPlainText,
  escapeInvisible,
  type PermissionItem,
  type QuestionItem,
} from '@quayside/protocol'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { useIsMe } from '../context/acted-here.js'

const words = strings.session

export function Answered({ item }: { item: PermissionItem | QuestionItem }) {
  const isMe = useIsMe()
  const device = isMe(item.by) ? undefined : escapeInvisible(item.by ?? '')
  const { isYes, said, about } =
    item.type === 'permission' ? permissionWords(item, device) : questionWords(item, device)
  return (
    <p className="line answered">
      <Icon name={isYes ? 'check' : 'cross'} size={14} />
      <span>
        {said} <span className="line-about">{about}</span>
      </span>
    </p>
  )
}

type Said = { readonly isYes: boolean; readonly said: string; readonly about: string }

/** `device` is where it was answered, when that was not here. */
export function permissionWords(
  { outcome, options, reason, toolCall }: PermissionItem,
  device: string | undefined,
): Said {
  const about = escapeInvisible(toolCall.title)
  if (outcome === null || outcome.outcome === 'cancelled') {
    const said = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
    return { isYes: false, said, about }
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId)
  const name = escapeInvisible(option?.name ?? outcome.optionId)
  const isYes = !(option?.kind.startsWith('reject') ?? false)
  if (reason === 'rule') return { isYes, said: words.ruleChose(name), about }
  return {
    isYes,
    said: device === undefined ? words.chose(name) : words.choseOn(name, device),
    about,
  }
}

function questionWords(
  { action, message, content, reason }: QuestionItem,
  device: string | undefined,
): Said {
  const about = asPlainText(message)
  if (action === 'accept') {
    const given = Object.values(content ?? {})
      .map(String)
      .join(', ')
    return {
      isYes: true,
      said: words.answered(device),
      about: given ? escapeInvisible(given) : about,
    }
  }
  if (action === 'decline') return { isYes: false, said: words.declinedOn(device), about }
  const said = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
  return { isYes: false, said, about }
}
