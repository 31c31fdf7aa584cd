// A Mermaid diagram as an image that can be enlarged. The library is loaded with the first one; until then, and when it
// cannot be drawn, its source is shown.
import { useEffect, useState, type ReactNode } from 'react'
import { strings } from '../../strings/strings.js'
import type { Drawing } from './diagram-frame.js'
import { Zoom } from './zoom.js'

const words = strings.session
const MAX_CHARS = 20_000
const DARK = '(prefers-color-scheme: dark)'

type DiagramProps = { readonly text: string; readonly children: ReactNode }

export function Diagram({ text, children: source }: DiagramProps) {
  const [drawn, setDrawn] = useState<{ readonly of: string; readonly drawing: Drawing }>()
  const [isSource, setSource] = useState(false)

  useEffect(() => {
    if (text.length > MAX_CHARS) return undefined
    let isCurrent = true
    const draw = async () => {
      const { drawDiagram } = await import('./diagram-frame.js')
      const drawing = await drawDiagram(text, isDark())
      if (isCurrent && drawing) setDrawn({ of: text, drawing })
    }
    // The source stays.
    draw().catch(() => {})
    return () => {
      isCurrent = false
    }
  }, [text])

  if (drawn?.of !== text) return source
  const { source: image, ...size } = drawn.drawing
  return (
    <>
      {isSource ? (
        source
      ) : (
        <div className="diagram">
          <Zoom source={image} alt={words.diagram} size={size} />
        </div>
      )}
      <button type="button" className="quiet-button" onClick={() => setSource(!isSource)}>
        {isSource ? words.showDiagram : words.showSource}
      </button>
    </>
  )
}

/** The theme that is shown: the page's own setting, or else the system's. */
function isDark(): boolean {
  const { colorScheme } = getComputedStyle(document.documentElement)
  return colorScheme === 'dark' || (colorScheme !== 'light' && matchMedia(DARK).matches)
}
