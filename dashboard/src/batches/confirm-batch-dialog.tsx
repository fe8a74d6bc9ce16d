// Shows what a batch is about to do before it is created: how many, the first rows, and the words that row 1 will hear.
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { counted } from './batch-words.tsx'
import { filledGreeting } from './column-mapping.ts'
import type { CsvPreview } from './csv-preview.ts'
import { FirstRows } from './first-rows.tsx'

interface ConfirmBatchDialogProps {
  workspaceId: string
  agentId: string
  preview: CsvPreview
  /** When it starts by itself; empty: when somebody starts it. */
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
  const greeting =
    config?.agent_welcome_message &&
    filledGreeting(config.agent_welcome_message, preview.columns, preview.first[0] ?? [])
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
        {greeting && (
          <figure className="rounded-lg bg-hover px-3.5 py-3">
            <figcaption className="text-xs font-medium text-muted">The first recipient hears</figcaption>
            <blockquote className="mt-1 wrap-anywhere">{greeting.text}</blockquote>
            {greeting.missing.length > 0 && (
              <p role="alert" className="mt-2 text-[0.8125rem] text-bad">
                Row 1 has no value for {greeting.missing.join(', ')}: the placeholder stays empty.
              </p>
            )}
          </figure>
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
