// The display preferences for sessions: output lines, rendering, thoughts.
import { prefer, usePreferences, type Preferences, type Thoughts } from '../shared/preferences.js'
import { SchemaField } from '../shared/controls/schema-field.js'
import { strings } from '../strings/strings.js'

const words = strings.general
const SWITCHES = [
  ['renderMarkdown', words.markdown, words.markdownText],
  ['useXterm', words.xterm, words.xtermText],
  ['syntaxHighlighting', words.highlighting, words.highlightingText],
  ['semanticShellRibbon', words.ribbon, words.ribbonText],
  ['enterStartsLine', words.enterNewline, words.enterNewlineText],
  ['singleKeys', words.singleKeys, words.singleKeysText],
] as const satisfies readonly (readonly [keyof Preferences, string, string])[]

const LINES = {
  id: 'commandOutputLines',
  type: 'number',
  label: words.outputLines,
  description: words.outputLinesText,
  min: 1,
  max: 1_000,
} as const

const THOUGHTS = {
  id: 'thoughts',
  type: 'select',
  label: words.thoughts,
  options: Object.entries(words.thoughtsChoices).map(([value, label]) => ({ value, label })),
  required: true,
} as const

export function ViewPreferences() {
  const preferences = usePreferences()
  return (
    <div className="form">
      <SchemaField
        field={LINES}
        value={preferences.commandOutputLines}
        onChange={(lines) => {
          if (typeof lines === 'number' && lines >= LINES.min && lines <= LINES.max)
            prefer({ commandOutputLines: Math.round(lines) })
        }}
      />
      <SchemaField
        field={THOUGHTS}
        value={preferences.thoughts}
        onChange={(thoughts) => prefer({ thoughts: thoughts as Thoughts })}
      />
      {SWITCHES.map(([id, label, description]) => (
        <SchemaField
          key={id}
          field={{ id, type: 'checkbox', label, description }}
          value={preferences[id]}
          onChange={(value) => prefer({ [id]: value === true })}
        />
      ))}
    </div>
  )
}
