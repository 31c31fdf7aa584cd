// Answers of a store: SQLite returns them at once, an engine on another machine returns a promise.

export type MaybePromise<T> = T | Promise<T>

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Continues in the same event-loop tick when the value is there already. */
export function whenReady<T, R>(
  value: MaybePromise<T>,
  use: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromise(value) ? value.then(use) : use(value)
}
