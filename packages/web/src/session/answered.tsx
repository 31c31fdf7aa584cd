// What stays of a decision in the timeline: who chose what. While it is open it is asked above the composer.
import {
  asPlainText,
  inPlainSight,
  type PermissionItem,
  type QuestionItem,
} from '@quayside/protocol'
import { useAccess } from '../shared/hub-context.js'
import { Icon } from '../shared/icon.js'
import { strings } from '../strings.js'

const words = strings.session

export function Answered({ item }: { item: PermissionItem | QuestionItem }) {
  const who = useWho(item.by)
  const { isYes, said, about } =
    item.type === 'permission' ? permissionWords(item, who) : questionWords(item, who)
  return (
    <p className="line answered">
      <Icon name={isYes ? 'check' : 'cross'} size={14} />
      <span>
        {said} <span className="line-about">{about}</span>
      </span>
    </p>
  )
}

function useWho(by: string | undefined): string {
  const access = useAccess()
  const isMe = by === undefined || (access.is === 'signed_in' && access.name === by)
  return isMe ? words.you : inPlainSight(by)
}

type Said = { readonly isYes: boolean; readonly said: string; readonly about: string }

function permissionWords(
  { outcome, options, reason, toolCall }: PermissionItem,
  who: string,
): Said {
  const about = inPlainSight(toolCall.title)
  if (outcome === null || outcome.outcome === 'cancelled') {
    const said = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
    return { isYes: false, said, about }
  }
  const option = options.find(({ optionId }) => optionId === outcome.optionId)
  const name = inPlainSight(option?.name ?? outcome.optionId)
  const isYes = !(option?.kind.startsWith('reject') ?? false)
  return { isYes, said: reason === 'rule' ? words.ruleChose(name) : words.chose(who, name), about }
}

function questionWords({ action, message, content, reason }: QuestionItem, who: string): Said {
  const about = asPlainText(message)
  if (action === 'accept') {
    const given = Object.values(content ?? {})
      .map(String)
      .join(', ')
    return { isYes: true, said: words.answered(who), about: given ? inPlainSight(given) : about }
  }
  if (action === 'decline') return { isYes: false, said: words.declinedBy(who), about }
  const said = reason === 'timeout' ? words.nobodyAnswered : words.noLongerNeeded
  return { isYes: false, said, about }
}
