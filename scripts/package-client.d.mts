/** Writes the npm package `@quayside/client` into the folder, from the built packages. */
export function layOutClient(folder: string): Promise<void>
