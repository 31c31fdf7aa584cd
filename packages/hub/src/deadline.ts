// Promises with a deadline. What is awaited goes on when the time is up.

/** Nothing when the time is up. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, ms, undefined)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return (
    (await within(
      promise.then(() => true),
      ms,
    )) === true
  )
}
