// Applies the chosen theme, density, font and language before the first paint, so that the page does not flash. See
// src/shared/preferences.ts.
try {
  const kept = JSON.parse(localStorage.getItem('quayside.preferences') ?? '{}')
  const { theme, density, font, language } = kept
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (density === 'compact') document.documentElement.dataset.density = density
  if (font === 'system') document.documentElement.dataset.font = font
  const wanted = [language, ...navigator.languages].map((name) => String(name).split('-')[0])
  document.documentElement.lang = wanted.find((name) => name === 'en' || name === 'de') ?? 'en'
} catch {
  // The stored preferences cannot be read; the page follows the system.
}
