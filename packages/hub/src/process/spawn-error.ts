// Explains why a program could not be run: the system reports a missing interpreter or folder as a missing program.
import { existsSync } from 'node:fs'
import { messageOfError } from '../errors.js'
import { findInterpreter } from './executable.js'

export function explainSpawnError(error: unknown, program: string, cwd: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return `"${program}" cannot be run: ${explainMissing(program, cwd)}`
  if (code === 'EACCES') return `"${program}" cannot be executed: permission denied.`
  return `"${program}" cannot be run: ${messageOfError(error)}`
}

function explainMissing(program: string, cwd: string): string {
  if (!existsSync(cwd)) return `the folder ${cwd} does not exist.`
  const interpreter = existsSync(program) ? findInterpreter(program) : undefined
  if (interpreter !== undefined && !existsSync(interpreter))
    return `its interpreter ${interpreter} does not exist.`
  return 'there is no such program, or its interpreter is missing.'
}
