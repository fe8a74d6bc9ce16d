// The router: the current path below /dashboard, kept in the browser's history.
import { type AnchorHTMLAttributes, type MouseEvent, useEffect, useSyncExternalStore } from 'react'

const base = '/dashboard'
let mayLeave = (): boolean => true

const listen = (onMove: () => void) => {
  addEventListener('popstate', onMove)
  return () => removeEventListener('popstate', onMove)
}

const here = () => location.pathname + location.search

export interface Place {
  /** The parts of the path, such as ['agents', 'new']. */
  readonly steps: string[]
  /** The page of a list, from ?page=. */
  readonly page: number
  /** The filter of a list, from ?status=. */
  readonly status: string | null
  /** All parameters of the address. */
  readonly query: URLSearchParams
}

export function usePlace(): Place {
  const { pathname, searchParams } = new URL(useSyncExternalStore(listen, here), location.origin)
  const steps = pathname.slice(base.length).split('/').filter(Boolean)
  const page = Math.max(1, Math.trunc(Number(searchParams.get('page'))) || 1)
  return { steps, page, status: searchParams.get('status'), query: searchParams }
}

/** The address of another page of a list; its other parameters stay. */
export function pageAt(list: string, page: number): string {
  const url = new URL(list, location.origin)
  url.searchParams.set('page', String(page))
  return url.pathname + url.search + url.hash
}

/** Returns whether it navigated. `replace` is for moves that the user did not make, so it never asks for confirmation. */
export function go(to: string, { replace = false } = {}): boolean {
  if (!replace && !mayLeave()) return false
  history[replace ? 'replaceState' : 'pushState'](null, '', base + to)
  dispatchEvent(new PopStateEvent('popstate'))
  // An address with a # names a list in the middle of a page: the scroll position stays.
  if (location.hash === '') scrollTo(0, 0)
  return true
}

/** Asks before unsaved work is left behind. */
export function useLeaveGuard(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    mayLeave = () => confirm('Leave this page? Your changes are not saved.')
    return () => {
      removeEventListener('beforeunload', warn)
      mayLeave = () => true
    }
  }, [unsaved])
}

export function Link({ to, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { to: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // With a modifier key, the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={base + to} onClick={follow} />
}
