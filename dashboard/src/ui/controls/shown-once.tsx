// Shows a secret once.
import type { ReactNode } from 'react'
import { Dialog, DialogActions } from '../dialogs/dialog.tsx'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'

interface ShownOnceProps {
  title: string
  /** The word for it, as in "key". */
  what: string
  secret: string
  /** Why the secret is not shown again. */
  why: string
  onClose(): void
  /** What to do with the secret. */
  children: ReactNode
}

export function ShownOnce({ title, what, secret, why, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-4">
        <p className="text-muted">
          Copy the {what} now and keep it somewhere safe. {why}
        </p>
        <Copyable text={secret} label={what} />
        {children}
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
