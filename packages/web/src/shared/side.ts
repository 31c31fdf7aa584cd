// Whether the list of sessions lies over the page: how a phone shows it beside a page of its own.
import { Store, useStore } from './store.js'

const drawer = new Store(false)

export function useDrawer(): boolean {
  return useStore(drawer)
}

export function setDrawer(isOpen: boolean): void {
  drawer.set(isOpen)
}
