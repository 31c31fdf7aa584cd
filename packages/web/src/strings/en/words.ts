// The type of a catalogue in another language: the same keys as the English one.

/** Any text, and functions with the same parameters. */
export type Words<English> = English extends string
  ? string
  : English extends (...about: infer About) => string
    ? (...about: About) => string
    : { readonly [Name in keyof English]: Words<English[Name]> }
