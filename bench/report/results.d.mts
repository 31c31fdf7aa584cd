type Measured = { readonly sources: string; readonly commit?: string }

/** One line for each result that does not describe the code as it is; of the stored results when none are given. */
export function staleResults(results?: Readonly<Record<string, Measured>>): string[]
