// Formats a number of bytes for people, such as 1.5 KB.
const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const text = power === 0 ? String(value) : value.toFixed(value < 10 ? 1 : 0)
  return `${text} ${UNITS[power] ?? ''}`
}
