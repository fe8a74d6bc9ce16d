// Asks for confirmation before something that cannot be undone, or that affects others.
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { RefusalNotice } from '../feedback/refusal-notice.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface ConfirmDialogProps {
  title: string
  /** The word on the button. */
  verb: string
  /** The mutation to confirm. */
  action: { readonly isPending: boolean; readonly error: Error | null; mutate(): void }
  onClose(): void
  children: ReactNode
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, verb, action, onClose, children } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="space-y-4">
        <div className="text-muted">{children}</div>
        {action.error && <RefusalNotice error={action.error} />}
        <DialogActions>
          <Button kind="danger" busy={action.isPending} onClick={() => action.mutate()}>
            {verb}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
