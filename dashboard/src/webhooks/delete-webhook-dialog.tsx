// The dialog that deletes an endpoint after confirmation.
import type { Webhook } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { useWebhookRefresh } from './webhook.ts'

interface DeleteWebhookDialogProps {
  workspaceId: string
  webhook: Webhook
  onClose(): void
}

export function DeleteWebhookDialog({ workspaceId, webhook, onClose }: DeleteWebhookDialogProps) {
  const refresh = useWebhookRefresh()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook(workspaceId, webhook.webhook_id),
    onSuccess: () => {
      refresh()
      toast('Webhook deleted')
      go('/webhooks', { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      verb="Delete webhook"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <strong className="font-medium wrap-anywhere text-ink">{webhook.url}</strong> hears of no further call,
      what is queued for it is cancelled, and its delivery log is gone. This cannot be undone.
    </ConfirmDialog>
  )
}
