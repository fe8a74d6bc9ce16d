// Shows what a batch is about to do before it is created: how many, the first rows, and what row 1 will hear.
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { GreetingButton } from '../talk/talk.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog, DialogActions } from '../ui/dialogs/dialog.tsx'
import { counted } from './batch-words.tsx'
import { filledGreeting } from './column-mapping.ts'
import type { CsvPreview } from './csv-preview.ts'
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

interface FirstGreetingProps {
  workspaceId: string
  agentId: string
  welcome: string
  preview: CsvPreview
}

/** The greeting that the first recipient will hear, as text and as sound. */
function FirstGreeting({ workspaceId, agentId, welcome, preview }: FirstGreetingProps) {
  const { columns, first } = preview
  const cells = first[0] ?? []
  const { text, missing } = filledGreeting(welcome, columns, cells)
  const place = () => {
    const given = columns.map((column, at) => [column, cells[at]?.trim() ?? ''] as const)
    const variables = Object.fromEntries(given.filter(([, value]) => value !== ''))
    return api.tryAgent(workspaceId, agentId, { agent_config: {}, variables })
  }
  return (
    <figure className="rounded-lg bg-hover px-3.5 py-3">
      <GreetingButton workspaceId={workspaceId} place={place}>
        {(button) => (
          <div className="flex items-center justify-between gap-3">
            <figcaption className="text-xs font-medium text-muted">The first recipient hears</figcaption>
            {button}
          </div>
        )}
      </GreetingButton>
      <blockquote className="mt-1 wrap-anywhere">{text}</blockquote>
      {missing.length > 0 && (
        <p role="alert" className="mt-2 text-[0.8125rem] text-bad">
          Row 1 has no value for {missing.join(', ')}: the placeholder stays empty.
        </p>
      )}
    </figure>
  )
}
