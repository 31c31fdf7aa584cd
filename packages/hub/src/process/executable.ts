// Whether there is a program at a path that this user may run.
import { accessSync, constants, statSync } from 'node:fs'

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
