// Draws diagrams in a sandboxed frame: the library needs rights (HTML from text, inline styles) that the page does not have.
import library from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'

export type Drawing = { readonly source: string; readonly width: number; readonly height: number }

type Answer = {
  readonly id: number
  readonly svg?: string
  readonly width?: number
  readonly height?: number
}

const DRAW_MS = 20_000
const MAX_SVG_CHARS = 2_000_000

let frame: Promise<HTMLIFrameElement> | undefined
let lastId = 0

/** An image of the diagram; undefined when it cannot be drawn. */
export async function drawDiagram(text: string, isDark: boolean): Promise<Drawing | undefined> {
  frame ??= openFrame()
  const { contentWindow } = await frame
  if (!contentWindow) return undefined
  const id = ++lastId
  return new Promise((resolve) => {
    const settle = (drawing: Drawing | undefined) => {
      clearTimeout(timer)
      removeEventListener('message', listen)
      resolve(drawing)
    }
    const listen = ({ source, data }: MessageEvent<Answer>) => {
      if (source === contentWindow && data.id === id) settle(readDrawing(data))
    }
    const timer = setTimeout(() => settle(undefined), DRAW_MS)
    addEventListener('message', listen)
    // The frame has no origin that could be named.
    contentWindow.postMessage({ id, script: library, text, isDark }, '*')
  })
}

/** As an image nothing in it runs, and nothing is loaded. */
function readDrawing({ svg, width, height }: Answer): Drawing | undefined {
  if (typeof svg !== 'string' || svg.length > MAX_SVG_CHARS || !width || !height) return undefined
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  return { source, width: Math.ceil(width), height: Math.ceil(height) }
}

function openFrame(): Promise<HTMLIFrameElement> {
  const element = document.createElement('iframe')
  element.sandbox.add('allow-scripts')
  element.src = '/diagram.html'
  element.className = 'diagram-frame'
  element.tabIndex = -1
  element.ariaHidden = 'true'
  document.body.append(element)
  return new Promise((resolve) => {
    element.addEventListener('load', () => resolve(element), { once: true })
  })
}
