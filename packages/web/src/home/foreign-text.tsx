// Marks a draft whose text came from another site or app, and offers such content beside a draft that it must not change.
import { asPlainText } from '@quayside/protocol'
import { usePictures } from '../composer/use-pictures.js'
import type { Draft, ForeignOffer } from '../drafts/draft.js'
import { Icon } from '../shared/controls/icon.js'
import { useStore } from '../shared/store.js'
import { strings } from '../strings/strings.js'

const words = strings.session

export function ForeignText({ draft }: { draft: Draft }) {
  const pictures = usePictures(draft, undefined)
  const foreign = useStore(draft.foreign)
  const offered = useStore(draft.offered)

  function replace(offer: ForeignOffer) {
    draft.replaceWith(offer)
    pictures.add(offer.pictures)
  }

  function discard() {
    draft.write('')
    draft.setAttachments([])
  }

  return (
    <>
      {offered && (
        <div className="foreign-text" role="status" data-testid="foreign-offer">
          <Note>{words.foreignOffers[offered.source]}</Note>
          <pre className="command" tabIndex={0}>
            {[offered.text, ...offered.pictures.map(({ name }) => asPlainText(name))].join('\n')}
          </pre>
          <button type="button" className="mini" onClick={() => replace(offered)}>
            {words.replaceDraft}
          </button>
          <button type="button" className="mini" onClick={() => draft.offered.set(undefined)}>
            {words.keepDraft}
          </button>
        </div>
      )}
      {foreign && (
        <div className="foreign-text" role="status" data-testid="foreign-text">
          <Note>{pictures.problem ?? words.foreignTexts[foreign.source]}</Note>
          <button type="button" className="mini" onClick={discard}>
            {words.discardForeign}
          </button>
        </div>
      )}
    </>
  )
}

function Note({ children }: { children: string }) {
  return (
    <p>
      <Icon name="shield" size={14} />
      {children}
    </p>
  )
}
