// Tests whether a path is a program that this user may run.
import { accessSync, constants, statSync } from 'node:fs'

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
