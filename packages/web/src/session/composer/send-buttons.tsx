// Send, and beside it, never in its place, Stop.
import { Icon } from '../../shared/icon.js'
import { strings } from '../../strings.js'

const words = strings.session

type SendButtonsProps = {
  readonly canSend: boolean
  readonly onStop: (() => void) | undefined
  readonly isStopping: boolean | undefined
}

export function SendButtons({ canSend, onStop, isStopping = false }: SendButtonsProps) {
  return (
    <>
      {onStop && (
        <button
          type="button"
          className="stop"
          data-testid="stop"
          aria-label={words.stop}
          title={words.stop}
          disabled={isStopping}
          onClick={onStop}
        >
          <Icon name={isStopping ? 'spinner' : 'stop'} />
        </button>
      )}
      <button
        className="send"
        data-testid="send"
        aria-label={words.send}
        title={words.send}
        disabled={!canSend}
      >
        <Icon name="arrowUp" />
      </button>
    </>
  )
}
