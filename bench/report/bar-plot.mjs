// Horizontal bars as SVG, readable on light and dark pages, without dependencies.

const WIDTH = 760
const LABEL_WIDTH = 290
const VALUE_WIDTH = 90
const ROW = 26
const TOP = 40
const BOTTOM = 24
const PLOT = WIDTH - LABEL_WIDTH - VALUE_WIDTH

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 14px }
  .small { font-size: 11px; fill: #57606a }
  .own { fill: #0969da } .other { fill: #8c959f } .missed { fill: #bc4c00 }
  .limit { stroke: #24292f; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small { fill: #9198a1 }
    .own { fill: #4493f8 } .other { fill: #656c76 } .missed { fill: #f0883e }
    .limit { stroke: #e6edf3 }
  }`

/**
 * `bars`: `{ label, value, kind, limit }` with the kind `own`, `other` or `missed`; `limit` is marked where a bar has a target.
 * Ranges of more than a hundred are drawn with a logarithmic scale, and the plot says so.
 */
export function barPlot({ title, unit, bars }) {
  const limits = bars.flatMap(({ limit }) => limit ?? [])
  const scale = scaleOf([...bars.map(({ value }) => value), ...limits])
  const height = TOP + bars.length * ROW + BOTTOM
  const rows = bars.map((bar, index) => rowOf(bar, TOP + index * ROW, scale))
  const note = scale.isLog ? `${unit}, logarithmic` : unit
  const texts = bars.map(({ label, value }) => `${label}: ${format(value)} ${unit}`)
  const legend = limits.length === 0 ? '' : 'dashed: the target; orange: missed'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<desc>${escaped(texts.join('; '))}</desc>`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="0" y="16">${escaped(title)}</text>`,
    `<text class="small" x="${WIDTH}" y="16" text-anchor="end">${escaped(note)}</text>`,
    ...rows,
    `<text class="small" x="${LABEL_WIDTH}" y="${height - 6}">${legend}</text>`,
    '</svg>\n',
  ].join('\n')
}

function rowOf({ label, value, kind, limit }, y, scale) {
  const width = Math.max(1, scale(value))
  const x = LABEL_WIDTH + scale(limit ?? 0)
  // The figure stands beside the mark of the target, not on it.
  const end = LABEL_WIDTH + width + (Math.abs(x - LABEL_WIDTH - width - 15) < 20 ? 36 : 6)
  const mark = `<line class="limit" x1="${x}" x2="${x}" y1="${y}" y2="${y + ROW - 2}"/>`
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${y + 16}" text-anchor="end">${escaped(label)}</text>`,
    `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y + 3}" width="${width}" height="${ROW - 8}" rx="2"/>`,
    `<text class="small" x="${end}" y="${y + 16}">${format(value)}</text>`,
    ...(limit === undefined ? [] : [mark]),
  ].join('\n')
}

/** Logarithmic from a tenth of the smallest value. */
function scaleOf(values) {
  const positive = values.filter((value) => value > 0)
  const [low, high] = [Math.min(...positive), Math.max(...positive)]
  const isLog = high / low > 100
  const place = isLog
    ? (value) => (value <= 0 ? 0 : Math.log(value / (low / 10)) / Math.log(high / (low / 10)))
    : (value) => value / high
  return Object.assign((value) => Math.round(place(value) * PLOT), { isLog })
}

function format(value) {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
