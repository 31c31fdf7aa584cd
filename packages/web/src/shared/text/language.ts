// The language of the page, which public/looks.js sets before the first paint, and the locale for numbers and dates.

export type Language = 'en' | 'de'

export const language: Language = globalThis.document?.documentElement.lang === 'de' ? 'de' : 'en'

/**
 * The browser's region, if it is a valid locale: dates differ between Britain and the United States. Chromium without a
 * locale reports `en-US@posix`, which makes Intl throw.
 */
const withRegion = new RegExp(`^${language}-[A-Z]{2}$`)
export const locale =
  globalThis.navigator?.languages?.find((name) => withRegion.test(name)) ?? language
