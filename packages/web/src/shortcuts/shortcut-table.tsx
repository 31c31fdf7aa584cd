// The table of all keyboard shortcuts, in groups.
import { strings } from '../strings/strings.js'
import { SHORTCUTS } from './shortcuts.js'

const { groups } = strings.keyboard

export function ShortcutTable() {
  return (
    <div className="shortcuts">
      {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
        <section key={group}>
          <h2 className="form-title">{groups[group]}</h2>
          <dl className="shortcut-list">
            {SHORTCUTS[group].map(({ keys, label }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {keys.map((key, index) => (
                    <kbd key={index}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
