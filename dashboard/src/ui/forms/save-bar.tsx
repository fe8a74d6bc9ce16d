// The bar below a long form that saves its changes. It sticks to the bottom of the screen.
import type { Address } from '@parley/contract/addresses'
import { Button } from '../controls/button.tsx'

interface SaveBarProps {
  changed: boolean
  busy: boolean
  /** The operation that saves the form. */
  needs: Pick<Address, 'access'>
}

export function SaveBar({ changed, busy, needs }: SaveBarProps) {
  return (
    <div className="sticky bottom-0 flex items-center justify-end gap-3 border-t border-line bg-canvas py-4">
      {changed && <p className="text-[0.8125rem] text-muted">Not saved yet</p>}
      <Button type="submit" kind="primary" needs={needs} disabled={!changed} busy={busy}>
        Save changes
      </Button>
    </div>
  )
}
