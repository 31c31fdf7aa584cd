// Finds the function that implements a command of the table.
export type CommandFunction = (input: object, context: object) => unknown

/** Throws when a command has no function, so that the hub does not start without one. */
export function requireFunction(functions: object, name: string): CommandFunction {
  const found = (functions as Readonly<Record<string, CommandFunction>>)[name]
  if (found === undefined) throw new Error(`The command ${name} has no function.`)
  return found
}
