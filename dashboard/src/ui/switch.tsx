// A switch that takes effect at once.
import { useId } from 'react'

interface SwitchProps {
  label: string
  /** What the current position means. */
  hint: string
  on: boolean
  busy: boolean
  onTurn(on: boolean): void
}

export function Switch({ label, hint, on, busy, onTurn }: SwitchProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={on}
        aria-checked={on}
        aria-busy={busy}
        aria-describedby={`${id}-hint`}
        // Not disabled while busy: it would lose the focus.
        onChange={() => busy || onTurn(!on)}
        className="relative mt-px h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full bg-muted transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-white before:shadow-card before:transition-transform checked:bg-accent checked:before:translate-x-4"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-[0.8125rem] text-pretty text-muted">
          {hint}
        </p>
      </div>
    </div>
  )
}
