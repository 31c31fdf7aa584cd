// What a catalogue in another language has to say: every text of the English one, and nothing else.

/** Texts may be any, functions take the same things. */
export type Words<English> = English extends string
  ? string
  : English extends (...about: infer About) => string
    ? (...about: About) => string
    : { readonly [Name in keyof English]: Words<English[Name]> }
