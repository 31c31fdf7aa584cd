// The title of the browser tab: the page, and the number of waiting sessions.
import { useEffect } from 'react'
import { strings } from '../strings/strings.js'
import { Store, useStore } from './store.js'

const base = new Store<string>(strings.appName)
const waiting = new Store(0)

export function useTitle(title: string): void {
  useEffect(() => {
    base.set(title)
  }, [title])
}

export function setWaitingCount(count: number): void {
  waiting.set(count)
}

/** Writes the title; rendered once. */
export function DocumentTitle() {
  const title = useStore(base)
  const count = useStore(waiting)
  useEffect(() => {
    document.title = count > 0 ? `(${count}) ${title}` : title
  }, [title, count])
  return null
}
