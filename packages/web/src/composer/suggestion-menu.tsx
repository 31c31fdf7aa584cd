// The suggestions above the field: files after `@`, commands after `/`.
import { strings } from '../strings/strings.js'
import { escapeInvisible } from '@quayside/protocol'
import { PathText } from '../shared/controls/path-text.js'
import type { SuggestionMenuState } from './use-suggestion-menu.js'
import type { Trigger } from './use-suggestions.js'

const words = strings.session

type SuggestionMenuProps = {
  readonly id: string
  readonly menu: SuggestionMenuState
  readonly sign: Trigger['sign']
}

export function SuggestionMenu({ id, menu, sign }: SuggestionMenuProps) {
  const { suggestions, current, choose } = menu
  if (!suggestions || suggestions.length === 0) {
    // A text may begin with a slash without being a command.
    if (sign === '/') return null
    return (
      <div className="suggestions" role="status">
        <p className="suggestions-none">{suggestions ? words.noFile : words.searching}</p>
      </div>
    )
  }
  return (
    <ul
      className="suggestions"
      id={id}
      role="listbox"
      aria-label={sign === '@' ? words.files : words.commands}
    >
      {suggestions.map((suggestion, index) => (
        <li
          key={suggestion.value}
          id={`${id}-${index}`}
          className="suggestion"
          role="option"
          aria-selected={index === current}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          {sign === '@' ? (
            <PathText path={suggestion.value} />
          ) : (
            <>
              <b>/{escapeInvisible(suggestion.value)}</b>
              <span className="suggestion-note">{escapeInvisible(suggestion.note ?? '')}</span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}
