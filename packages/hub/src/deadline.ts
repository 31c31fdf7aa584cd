// Promises with a deadline. The awaited work itself is not stopped when the time is up.

/** Undefined when the time is up; `onTimeout` is called then. */
export async function within<T>(
  promise: Promise<T>,
  ms: number,
  onTimeout?: () => void,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      onTimeout?.()
      resolve(undefined)
    }, ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** True when the promise is fulfilled in time. Rejects when the promise does. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const fulfilled = promise.then(() => true)
  return (await within(fulfilled, ms)) === true
}
