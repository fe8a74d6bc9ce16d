// The storage of this browser for unsaved work. A browser that stores nothing, or has no room left, is no fault: the work is
// still on the page.
import { isTree, type Tree } from './tree.ts'

export type BrowserStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function keep(key: string, value: object, store: BrowserStore): void {
  try {
    store.setItem(key, JSON.stringify(value))
  } catch {}
}

/** What is stored under a key. Undefined: nothing that can be read. */
export function kept(key: string, store: BrowserStore): Tree | undefined {
  try {
    const value: unknown = JSON.parse(store.getItem(key) ?? 'null')
    return isTree(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function forget(key: string, store: BrowserStore): void {
  try {
    store.removeItem(key)
  } catch {}
}
