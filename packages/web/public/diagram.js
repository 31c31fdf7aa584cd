// Draws Mermaid diagrams in a frame without the page's origin, cookies and data, and returns them as SVG text. The page
// (src/session/markdown/diagram-frame.ts) shows them as images, in which nothing runs.

const MAX_EDGES = 500
let loading

addEventListener('message', ({ source, data }) => {
  if (source === parent) void answer(data)
})

async function answer(request) {
  const drawn = await draw(request).catch((error) => ({ problem: String(error) }))
  // This frame has no origin that it could name.
  parent.postMessage({ id: request.id, ...drawn }, '*')
}

async function draw({ id, script, text, isDark }) {
  loading ??= load(script)
  await loading
  const { mermaid } = globalThis
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: isDark ? 'dark' : 'neutral',
    // The image has no fonts of the page.
    fontFamily: 'sans-serif',
    maxEdges: MAX_EDGES,
    // HTML in an image is not drawn by every browser.
    htmlLabels: false,
    flowchart: { htmlLabels: false },
  })
  const { svg } = await mermaid.render(`diagram-${id}`, text)
  const parsed = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg')
  const { width, height } = parsed.viewBox.baseVal
  parsed.setAttribute('width', String(width))
  parsed.setAttribute('height', String(height))
  return { svg: new XMLSerializer().serializeToString(parsed), width, height }
}

function load(script) {
  if (!/^\/assets\/[\w.-]+\.js$/.test(script))
    throw new Error(`${script} is no script of the page.`)
  return new Promise((resolve, reject) => {
    const element = document.createElement('script')
    element.src = script
    element.addEventListener('load', resolve)
    element.addEventListener('error', () => reject(new Error(`${script} cannot be loaded.`)))
    document.head.append(element)
  })
}
