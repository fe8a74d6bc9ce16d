// Keys for a list of calls: / searches, the arrows (or j and k) move between the rows, and Enter opens one.
import { useEffect, useRef } from 'react'

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null

export function useRowKeys() {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
        return
      }
      const by = steps[event.key]
      const links = [...(list.current?.querySelectorAll<HTMLElement>('tbody tr a') ?? [])]
      if (by === undefined || links.length === 0) return
      const at = links.indexOf(document.activeElement as HTMLElement)
      // The arrows scroll the page unless a row is focused.
      if (at < 0 && event.key.startsWith('Arrow')) return
      event.preventDefault()
      links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return list
}
