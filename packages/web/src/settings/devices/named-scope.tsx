// The name and scope of a new device or token.
import { SCOPES, type Scope } from '@quayside/protocol'
import { useId } from 'react'
import { settingsWords } from '../../strings/settings-words.js'

const words = settingsWords.access
const MAX_NAME = 64

export type NamedScope = { readonly name: string; readonly scope: Scope }

type NamedScopeFieldsProps = {
  readonly value: NamedScope
  readonly placeholder: string
  readonly onChange: (value: NamedScope) => void
}

export function NamedScopeFields({ value, placeholder, onChange }: NamedScopeFieldsProps) {
  const id = useId()
  const { name, scope } = value
  return (
    <div className="named-scope">
      <div className="form-row">
        <label className="form-label" htmlFor={`${id}-name`}>
          {words.name}
        </label>
        <input
          id={`${id}-name`}
          className="field"
          value={name}
          placeholder={placeholder}
          maxLength={MAX_NAME}
          dir="auto"
          autoComplete="off"
          onChange={({ target }) => onChange({ name: target.value, scope })}
        />
      </div>
      <div className="form-row">
        <label className="form-label" htmlFor={`${id}-scope`}>
          {words.scope}
        </label>
        <select
          id={`${id}-scope`}
          className="field"
          value={scope}
          aria-describedby={`${id}-notes`}
          onChange={({ target }) => onChange({ name, scope: target.value as Scope })}
        >
          {SCOPES.map((each) => (
            <option key={each} value={each}>
              {words.scopes[each]}
            </option>
          ))}
        </select>
      </div>
      <p id={`${id}-notes`} className="form-notes">
        {words.scopeTexts[scope]}
      </p>
    </div>
  )
}
