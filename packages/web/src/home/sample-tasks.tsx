// Three tasks to begin with. Each starts a session with its prompt.
import { Icon } from '../shared/controls/icon.js'
import { strings } from '../strings/strings.js'

const words = strings.samples

type SampleTasksProps = {
  readonly isDisabled: boolean
  readonly onStart: (prompt: string) => void
}

export function SampleTasks({ isDisabled, onStart }: SampleTasksProps) {
  return (
    <ul className="sample-tasks">
      {words.tasks.map(({ name, text, prompt }) => (
        <li key={name}>
          <button
            type="button"
            className="repo-card"
            disabled={isDisabled}
            onClick={() => onStart(prompt)}
          >
            <Icon name="thought" />
            <span className="repo-text">
              <b className="repo-name">{name}</b>
              <span className="sample-text">{text}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
