// The language of the page, which public/looks.js chooses before anything is drawn, and the locale of its numbers and dates.

export type Language = 'en' | 'de'

export const language: Language = globalThis.document?.documentElement.lang === 'de' ? 'de' : 'en'

/** With the region that the browser names, if it does: dates are written in other ways in Britain and the United States. */
export const locale =
  globalThis.navigator?.languages?.find((name) => name.startsWith(language)) ?? language
