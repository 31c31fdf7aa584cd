// Find in the whole conversation: the hub searches, the rows mark the words. The browser's own search finds only the rendered rows.
import { useSession } from '@quayside/client/react'
import type { FoundPlace } from '@quayside/protocol'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { FindField } from '../../shared/controls/find-field.js'
import { hasOpenLayer, restoreFocus } from '../../shared/page-focus.js'
import { usePreferences } from '../../shared/preferences.js'
import { strings } from '../../strings/strings.js'
import { useSessionContext } from '../context/session-context.js'
import { isInRow, type Row } from './transcript-rows.js'
import { useFoundMarks } from './use-found-marks.js'
import { usePlaces } from './use-places.js'

const words = strings.session

type FindBarProps = {
  readonly rows: readonly Row[]
  readonly scroller: RefObject<HTMLElement | null>
  /** The current place, also undefined when the bar is closed. */
  readonly onFound: (place: FoundPlace | undefined) => void
}

/** One match of the text: an item, and which of its matches, from the last one on. */
type Match = { readonly place: FoundPlace; readonly fromEnd: number }

export function FindBar(props: FindBarProps) {
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.key.toLowerCase() !== 'f' || !(event.metaKey || event.ctrlKey) || event.shiftKey)
        return
      if (hasOpenLayer()) return
      // Pressing the keys a second time opens the browser's own search.
      if (field.current !== null && field.current === document.activeElement) return
      event.preventDefault()
      setOpen(true)
      field.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  if (!isOpen) return null
  return (
    <OpenFindBar
      {...props}
      field={field}
      onClose={() => {
        setOpen(false)
        props.onFound(undefined)
        restoreFocus(() => document.querySelector<HTMLElement>('[data-testid=timeline]'))
      }}
    />
  )
}

type OpenFindBarProps = FindBarProps & {
  readonly field: RefObject<HTMLInputElement | null>
  readonly onClose: () => void
}

function OpenFindBar({ rows, scroller, onFound, field, onClose }: OpenFindBarProps) {
  const { sessionId } = useSessionContext()
  const { session } = useSession(sessionId)
  const { thoughts } = usePreferences()
  const [wanted, setWanted] = useState('')
  const [at, setAt] = useState(0)
  const found = usePlaces(session, wanted)
  const matches = useMemo(() => {
    const isShown = ({ type }: FoundPlace) => type !== 'thought' || thoughts !== 'hidden'
    return found?.places.filter(isShown).flatMap(matchesIn) ?? []
  }, [found, thoughts])
  const current = matches[at]
  const row = rows.find((one) => current && isInRow(one, current.place.itemId))
  useFoundMarks({
    scroller,
    wanted,
    current: current && row && { ...current, itemId: current.place.itemId, rowKey: row.key },
  })

  const currentId = current?.place.itemId
  const show = useEffectEvent((id: string | undefined) =>
    onFound(matches.find(({ place }) => place.itemId === id)?.place),
  )
  useEffect(() => show(currentId), [currentId])

  function go(step: number) {
    if (matches.length === 0) return
    const next = (at - step + matches.length) % matches.length
    setAt(next)
    // Also when it is the same one, from which the person has scrolled away.
    onFound(matches[next]?.place)
  }

  return (
    <div className="find-anchor">
      <FindField
        label={words.find}
        value={wanted}
        found={found ? words.findCount(at + 1, matches.length, found.isWhole) : ''}
        field={field}
        isUpward
        onChange={(value) => {
          setWanted(value)
          setAt(0)
        }}
        onGo={go}
        onClose={onClose}
      />
    </div>
  )
}

function matchesIn(place: FoundPlace): Match[] {
  return Array.from({ length: place.count }, (_, fromEnd) => ({ place, fromEnd }))
}
