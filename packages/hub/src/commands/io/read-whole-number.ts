// Reads a whole number of the command line within limits.
import { InvalidArgumentError } from 'commander'

/** A parser for an option of commander. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (Number.isInteger(number) && number >= min && number <= max) return number
    const limit = max === Number.MAX_SAFE_INTEGER ? '' : ` to ${max}`
    throw new InvalidArgumentError(`Use a whole number from ${min}${limit}.`)
  }
}
