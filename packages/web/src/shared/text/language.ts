// The language of the page, which public/looks.js chooses before anything is drawn, and the locale of its numbers and dates.

export type Language = 'en' | 'de'

export const language: Language = globalThis.document?.documentElement.lang === 'de' ? 'de' : 'en'

/**
 * With the region that the browser names, if it does: dates are written in other ways in Britain and the United States.
 * Only what is a locale counts: Chromium without one of its own says `en-US@posix`, on which Intl throws.
 */
const withRegion = new RegExp(`^${language}-[A-Z]{2}$`)
export const locale =
  globalThis.navigator?.languages?.find((name) => withRegion.test(name)) ?? language
