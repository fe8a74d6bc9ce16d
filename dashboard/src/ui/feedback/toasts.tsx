// Short messages of success, which screen readers announce and which disappear by themselves. They stand in a corner, above
// a bar of buttons that sticks to the bottom.
import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { Icon } from '../controls/icons.tsx'

// A toast stays long enough to read a short sentence twice.
const shownMs = 5000

interface Toast {
  readonly id: number
  readonly words: string
}

const Tell = createContext<(words: string) => void>(() => {})

export const useToast = () => use(Tell)

let lastId = 0

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const tell = useCallback((words: string) => {
    const id = ++lastId
    setToasts((shown) => [...shown, { id, words }])
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), shownMs)
  }, [])
  return (
    <Tell value={tell}>
      {children}
      <div
        role="status"
        className="pointer-events-none fixed inset-x-4 bottom-20 z-50 flex flex-col items-center gap-2 sm:inset-x-auto sm:right-6 sm:items-end"
      >
        {toasts.map(({ id, words }) => (
          <p
            key={id}
            className="flex max-w-full items-center gap-2 rounded-lg border border-line bg-surface py-2 pr-4 pl-3 font-medium shadow-lg transition-opacity duration-200 starting:opacity-0"
          >
            <Icon name="check" className="size-4 text-good" />
            <span className="truncate">{words}</span>
          </p>
        ))}
      </div>
    </Tell>
  )
}
