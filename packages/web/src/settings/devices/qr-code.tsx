// A text as a QR code, drawn in the browser so that it is sent nowhere. Loaded when it is first shown.
import { create } from 'qrcode'

/** The quiet zone that scanners need. */
const QUIET = 4

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = create(text, { errorCorrectionLevel: 'M' }).modules
  const dark = [...data].flatMap((isDark, at) =>
    isDark ? `M${(at % size) + QUIET} ${Math.floor(at / size) + QUIET}h1v1h-1z` : [],
  )
  const side = size + 2 * QUIET
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`}>
      <path d={dark.join('')} shapeRendering="crispEdges" />
    </svg>
  )
}
