// The type of the values that a zod schema describes, read-only all the way down.
import type { z } from 'zod'

export type Shape<Schema> = Frozen<z.output<Schema>>

type Primitive = string | number | boolean | null | undefined

export type Frozen<Value> = Value extends Primitive
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value
