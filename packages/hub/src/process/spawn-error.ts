// Explains why a program could not be run: the system reports a missing interpreter or folder as a missing program.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { messageOfError } from '../errors.js'

const MAX_FIRST_LINE_BYTES = 256

export function explainSpawnError(error: unknown, program: string, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return `"${program}" cannot be run: ${explainMissing(program, cwd)}`
  if (code === 'EACCES') return `"${program}" cannot be executed: permission denied.`
  return `"${program}" cannot be run: ${messageOfError(error)}`
}

function explainMissing(program: string, cwd: string): string {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist.`
  const interpreter = findInterpreter(program)
  if (interpreter !== undefined && !existsSync(interpreter))
    return `its interpreter ${interpreter} does not exist.`
  return 'there is no such program, or its interpreter is missing.'
}

/** The program in the first line of a script, such as `#!/usr/bin/python3 -u`. */
function findInterpreter(program: string): string | undefined {
  if (!existsSync(program)) return undefined
  const file = openSync(program, 'r')
  try {
    const bytes = Buffer.alloc(MAX_FIRST_LINE_BYTES)
    const read = readSync(file, bytes)
    return /^#!\s*(\S+)/.exec(bytes.toString('utf8', 0, read))?.[1]
  } finally {
    closeSync(file)
  }
}
