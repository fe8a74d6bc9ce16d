// Asks for confirmation before something that cannot be undone, or that affects others.
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { RefusalNotice } from '../feedback/refusal-notice.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** The word on the button. */
  verb: string
  busy: boolean
  error: Error | null
  onConfirm(): void
  onClose(): void
  children: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, verb, busy, error, onConfirm, onClose, children } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-4">
        <div className="text-muted">{children}</div>
        {error && <RefusalNotice error={error} />}
        <DialogActions>
          <Button kind="danger" busy={busy} onClick={onConfirm}>
            {verb}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
