// Search in the whole conversation. The browser's own search finds only the rendered rows.
import type { Item } from '@quayside/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import { FindField } from '../../shared/controls/find-field.js'
import { hasOpenLayer, restoreFocus } from '../../shared/page-focus.js'
import { strings } from '../../strings/strings.js'
import type { Row } from './transcript-rows.js'

const words = strings.session

type FindBarProps = {
  readonly rows: readonly Row[]
  readonly item: (id: string) => Item | undefined
  readonly onFound: (index: number) => void
}

export function FindBar({ rows, item, onFound }: FindBarProps) {
  const [isOpen, setOpen] = useState(false)
  const [wanted, setWanted] = useState('')
  const [current, setCurrent] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const matches = useMemo(() => matchingRows(rows, item, wanted), [rows, item, wanted])

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

  function go(step: number) {
    if (matches.length === 0) return
    const next = (current + step + matches.length) % matches.length
    setCurrent(next)
    onFound(matches[next] ?? 0)
  }

  if (!isOpen) return null
  return (
    <FindField
      label={words.find}
      value={wanted}
      found={wanted === '' ? '' : words.findCount(Math.max(current, 0) + 1, matches.length)}
      field={field}
      onChange={(value) => {
        setWanted(value)
        setCurrent(-1)
      }}
      onGo={go}
      onClose={() => {
        setOpen(false)
        restoreFocus(() => document.querySelector<HTMLElement>('[data-testid=timeline]'))
      }}
    />
  )
}

function matchingRows(rows: readonly Row[], item: FindBarProps['item'], wanted: string): number[] {
  const needle = wanted.trim().toLowerCase()
  if (needle === '') return []
  return rows.flatMap((row, index) => {
    const ids = row.type === 'item' ? [row.id] : row.type === 'tools' ? row.ids : []
    return ids.some((id) => textOf(item(id)).toLowerCase().includes(needle)) ? [index] : []
  })
}

function textOf(item: Item | undefined): string {
  switch (item?.type) {
    case 'user':
    case 'text':
    case 'thought':
      return item.text
    case 'tool':
      return `${item.call.title}\n${JSON.stringify(item.call.content)}`
    case 'plan':
      return item.entries.map(({ content }) => content).join('\n')
    case 'notice':
    case 'question':
      return item.message
    default:
      return ''
  }
}
