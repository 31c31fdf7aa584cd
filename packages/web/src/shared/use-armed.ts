// The moment before a new decision can be answered. A click or key that was meant for the page before it must not answer it.
import { useEffect, useState } from 'react'

/** Longer than the time between the clicks of a double click. */
const ARMED_AFTER_MS = 500

/** False for a moment after the component was mounted, and after each change of the key. */
export function useArmed(key = ''): boolean {
  const [armed, setArmed] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setArmed(key), ARMED_AFTER_MS)
    return () => clearTimeout(timer)
  }, [key])
  return armed === key
}
