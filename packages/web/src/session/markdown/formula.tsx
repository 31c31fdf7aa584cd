// A formula as MathML, which needs neither fonts nor styles of its own. The typesetter is loaded with the first formula.
import { asPlainText } from '@quayside/protocol'
import { useEffect, useRef, useState } from 'react'

type FormulaProps = { readonly tex: string; readonly raw: string; readonly isBlock: boolean }

const MAX_CHARS = 4_000
/** `trust` is off: no links, pictures or classes. Sizes in em, and the steps that macros may take. */
const LIMITS = { trust: false, maxSize: [20, 40], maxExpand: 500, throwOnError: true } as const

/** The source stays where it cannot be typeset. */
export function Formula({ tex, raw, isBlock }: FormulaProps) {
  const place = useRef<HTMLSpanElement>(null)
  const [isDrawn, setDrawn] = useState(false)

  useEffect(() => {
    if (tex.length > MAX_CHARS) return undefined
    let isCurrent = true
    const draw = async () => {
      const { default: temml } = await import('temml')
      const drawn = document.createElement('span')
      temml.render(tex, drawn, { ...LIMITS, maxSize: [...LIMITS.maxSize], displayMode: isBlock })
      if (!isCurrent) return
      place.current?.replaceChildren(...drawn.childNodes)
      setDrawn(true)
    }
    draw().catch(() => isCurrent && setDrawn(false))
    return () => {
      isCurrent = false
    }
  }, [tex, isBlock])

  return (
    <span className="formula" data-block={isBlock || undefined} dir="ltr">
      <span ref={place} hidden={!isDrawn} />
      {!isDrawn && asPlainText(raw.trim())}
    </span>
  )
}
