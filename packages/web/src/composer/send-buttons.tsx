// The send button, and beside it the stop button; neither replaces the other.
import { Icon } from '../shared/controls/icon.js'
import { focusComposer, hasKeyboard } from '../shared/page-focus.js'
import { strings } from '../strings/strings.js'

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
          onClick={() => {
            onStop()
            returnToComposer()
          }}
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
        onClick={returnToComposer}
      >
        <Icon name="arrowUp" />
      </button>
    </>
  )
}

/** Returns the focus to the field after a click. */
function returnToComposer(): void {
  if (hasKeyboard()) focusComposer()
}
