// Without file descriptors Node returns a child that has no streams, and reports the error in an event, which ends the hub if it has no listener.
import type { ChildProcess } from 'node:child_process'

/** Returns the child. Throws `EMFILE` when it could not even get its pipes. */
export function requireSpawned<Child extends ChildProcess>(child: Child): Child {
  // Typed as present, because Node's types do not know this case.
  if ((child.stdio as unknown) !== undefined) return child
  child.once('error', () => {})
  throw Object.assign(new Error(`No file descriptors are left to start ${child.spawnfile}.`), {
    code: 'EMFILE',
  })
}
