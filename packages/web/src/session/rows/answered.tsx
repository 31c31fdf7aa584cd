// A decision in the transcript: who chose what. Open decisions are shown above the composer.
import {
  asPlainText,
  escapeInvisible,
  type PermissionItem,
  type QuestionItem,
} from '@quayside/protocol'
import { Icon } from '../../shared/controls/icon.js'
import { strings } from '../../strings/strings.js'
import { useActedHere } from '../context/acted-here.js'

const words = strings.session

export function Answered({ item }: { item: PermissionItem | QuestionItem }) {
  const isMe = useActedHere()
  const device = isMe(item.by) ? undefined : escapeInvisible(item.by ?? '')
  const { isYes, text, about } =
    item.type === 'permission' ? permissionWords(item, device) : questionWords(item, device)
  return (
    <p className="line answered">
      <Icon name={isYes ? 'check' : 'cross'} size={14} />
      <span>
        {text} <span className="line-about">{about}</span>
      </span>
    </p>
  )
}

type Outcome = { readonly isYes: boolean; readonly text: string; readonly about: string }

/** `device` is the device that answered, when it was another one. */
export function permissionWords(
  { outcome, options, reason, toolCall }: PermissionItem,
  device: string | undefined,
): Outcome {
  const about = escapeInvisible(toolCall.title)
  if (outcome === null || outcome.outcome === 'cancelled') {
    const text = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
    return { isYes: false, text, about }
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId)
  const name = escapeInvisible(option?.name ?? outcome.optionId)
  const isYes = !(option?.kind.startsWith('reject') ?? false)
  if (reason === 'rule') return { isYes, text: words.ruleChose(name), about }
  return {
    isYes,
    text: device === undefined ? words.chose(name) : words.choseOn(name, device),
    about,
  }
}

function questionWords(
  { action, message, content, reason }: QuestionItem,
  device: string | undefined,
): Outcome {
  const about = asPlainText(message)
  if (action === 'accept') {
    const given = Object.values(content ?? {})
      .map(String)
      .join(', ')
    return {
      isYes: true,
      text: words.answered(device),
      about: given ? escapeInvisible(given) : about,
    }
  }
  if (action === 'decline') return { isYes: false, text: words.declinedOn(device), about }
  const text = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
  return { isYes: false, text, about }
}
