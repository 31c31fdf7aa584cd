// A picture that opens in full size above the page.
import { useState } from 'react'
import { Icon } from '../../shared/controls/icon.js'
import { Modal } from '../../shared/controls/dialog.js'
import { strings } from '../../strings/strings.js'

const words = strings.session

type ZoomProps = {
  readonly source: string
  readonly alt: string
  /** In CSS pixels, where the picture itself does not say. */
  readonly size?: { readonly width: number; readonly height: number } | undefined
}

export function Zoom({ source, alt, size }: ZoomProps) {
  const [isOpen, setOpen] = useState(false)
  const label = words.enlarge(alt)
  return (
    <>
      <button type="button" className="picture" aria-label={label} onClick={() => setOpen(true)}>
        <img className="shown" alt={alt} src={source} {...size} />
      </button>
      {isOpen && (
        <Modal label={{ 'aria-label': label }} className="zoom" onClose={() => setOpen(false)}>
          <button
            type="button"
            className="icon-button zoom-close"
            aria-label={strings.common.close}
            onClick={() => setOpen(false)}
          >
            <Icon name="cross" />
          </button>
          {/* Focusable, so that a large picture can be scrolled with the keyboard. */}
          <div className="zoom-area" tabIndex={0} role="group" aria-label={alt || words.picture}>
            <img alt={alt} src={source} {...size} />
          </div>
        </Modal>
      )}
    </>
  )
}
