export const PAGE: URL
/** The folder of the plots. */
export const IMAGES: URL
/** The page and the plots as text, by their file names; of the stored results when none are given. */
export function renderPage(): { page: string; plots: Record<string, string> }
