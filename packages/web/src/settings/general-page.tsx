// The appearance of the app and of sessions in this browser.
import { Icon } from '../shared/controls/icon.js'
import {
  prefer,
  preferences,
  usePreferences,
  type Density,
  type Font,
  type LanguageChoice,
  type Theme,
} from '../shared/preferences.js'
import { strings } from '../strings/strings.js'
import { SettingsSection } from './settings-section.js'
import { ViewPreferences } from '../sessions/view-preferences.js'

const words = strings.general
/** The language that the page was loaded with. */
const SHOWN = preferences().language

export function GeneralPage() {
  const { theme, density, font, language } = usePreferences()
  return (
    <>
      <SettingsSection title={words.appearance}>
        <Choices<Theme>
          label={words.theme}
          value={theme}
          choices={words.themes}
          onChange={(chosen) => prefer({ theme: chosen })}
        />
        <Choices<Density>
          label={words.density}
          value={density}
          choices={words.densities}
          onChange={(chosen) => prefer({ density: chosen })}
        />
        <Choices<Font>
          label={words.font}
          value={font}
          choices={words.fonts}
          onChange={(chosen) => prefer({ font: chosen })}
        />
        <Choices<LanguageChoice>
          label={words.language}
          value={language}
          choices={words.languages}
          onChange={(chosen) => prefer({ language: chosen })}
        />
        {/* Not applied on change: arrow keys pass through other languages on the way. */}
        {language !== SHOWN && (
          <button type="button" className="button" onClick={() => location.reload()}>
            <Icon name="refresh" size={14} />
            {words.applyLanguage}
          </button>
        )}
      </SettingsSection>
      <SettingsSection title={words.sessions} text={words.onThisDevice}>
        <ViewPreferences />
      </SettingsSection>
    </>
  )
}

type ChoicesProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: Readonly<Record<Value, string>>
  readonly onChange: (value: Value) => void
}

function Choices<Value extends string>({ label, value, choices, onChange }: ChoicesProps<Value>) {
  return (
    <fieldset className="segments">
      <legend className="form-label">{label}</legend>
      <div className="segments-row">
        {(Object.entries(choices) as [Value, string][]).map(([choice, name]) => (
          <label key={choice} className="segment">
            <input
              type="radio"
              name={label}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
