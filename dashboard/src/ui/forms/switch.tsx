// A switch that takes effect at once.
import type { Address } from '@parley/contract/addresses'
import { useId } from 'react'
import { useWhyNot } from '../controls/may.tsx'

interface SwitchProps {
  label: string
  /** What the current position means. */
  hint: string
  on: boolean
  busy: boolean
  /** The operation behind the switch. Users who may not use it see why, and cannot turn it. */
  needs?: Pick<Address, 'access'>
  onTurn(on: boolean): void
}

export function Switch({ label, hint, on, busy, needs, onTurn }: SwitchProps) {
  const whyNot = useWhyNot(needs)
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
        disabled={whyNot !== undefined}
        title={whyNot}
        // The switch is not disabled while busy: it would lose the focus.
        onChange={() => busy || onTurn(!on)}
        className="relative mt-px h-5 w-9 shrink-0 cursor-pointer appearance-none disabled:cursor-default disabled:opacity-55 rounded-full bg-muted transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4 before:rounded-full before:bg-white before:shadow-card before:transition-transform checked:bg-accent checked:before:translate-x-4"
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
