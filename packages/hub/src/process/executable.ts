// Tests whether a path is a program that this user may run.
import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs'

const MAX_FIRST_LINE_BYTES = 256
const ELF = '\u007FELF'

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Also true for its format and its interpreter, as far as the first line shows. Linux only. */
export function isRunnable(path: string): boolean {
  if (!isExecutable(path)) return false
  const interpreter = findInterpreter(path)
  return interpreter === undefined ? readStart(path).startsWith(ELF) : existsSync(interpreter)
}

/** The program in the first line of a script, such as `#!/usr/bin/python3 -u`. */
export function findInterpreter(program: string): string | undefined {
  return /^#!\s*(\S+)/.exec(readStart(program))?.[1]
}

function readStart(program: string): string {
  const file = openSync(program, 'r')
  try {
    const bytes = Buffer.alloc(MAX_FIRST_LINE_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}
