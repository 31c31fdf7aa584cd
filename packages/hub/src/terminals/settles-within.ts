// Waits for something that may never happen.

export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)))
  const settled = await Promise.race([promise.then(() => true), late])
  clearTimeout(timer)
  return settled
}
