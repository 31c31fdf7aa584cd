// Before the first paint: the theme, density and font a person chose, so that nothing flashes. See src/shared/preferences.ts.
try {
  const { theme, density, font } = JSON.parse(localStorage.getItem('quayside.preferences') ?? '{}')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (density === 'compact') document.documentElement.dataset.density = density
  if (font === 'system') document.documentElement.dataset.font = font
} catch {
  // What is stored cannot be read: the looks of the system are fine.
}
