// Shows what a batch is about to do before it is created: how many, the first rows, and what row 1 will hear.
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog, DialogActions } from '../ui/dialogs/dialog.tsx'
import { counted } from './batch-words.tsx'
import type { CsvPreview } from './csv-preview.ts'
import { FirstGreeting } from './first-greeting.tsx'
import { FirstRows } from './first-rows.tsx'

interface ConfirmBatchDialogProps {
  workspaceId: string
  agentId: string
  preview: CsvPreview
  /** The time at which the batch starts by itself. Empty: somebody starts it. */
  starts: string
  busy: boolean
  onConfirm(): void
  onClose(): void
}

export function ConfirmBatchDialog(props: ConfirmBatchDialogProps) {
  const { workspaceId, agentId, preview, starts, busy, onConfirm, onClose } = props
  const agent = useQuery({
    queryKey: ['agent', workspaceId, agentId],
    queryFn: () => api.agent(workspaceId, agentId),
    enabled: agentId !== '',
  })
  const config = agent.data?.agent_config
  return (
    <Dialog title={`Call ${counted(preview.rows, 'recipient')}?`} onClose={onClose}>
      <div className="space-y-4">
        <p className="text-muted">
          {config ? `${config.agent_name} calls them. ` : ''}
          {starts === ''
            ? 'Nobody is called before you start the batch.'
            : `The batch starts by itself at ${new Date(starts).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}.`}
        </p>
        <FirstRows preview={preview} />
        {config?.agent_welcome_message && (
          <FirstGreeting
            workspaceId={workspaceId}
            agentId={agentId}
            preview={preview}
            welcome={config.agent_welcome_message}
          />
        )}
        <DialogActions>
          <Button kind="primary" busy={busy} onClick={onConfirm}>
            Create batch
          </Button>
          <Button onClick={onClose}>Back</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
