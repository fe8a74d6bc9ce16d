// The dialog that revokes a key, and the button that reactivates one.
import type { dashboard } from '@parley/contract'
import { dashboardAddresses } from '@parley/contract/addresses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'

function useSwitch({ api_key_id, label }: dashboard.ApiKey, onDone?: () => void) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (active: boolean) => api.updateKey(api_key_id, { active }),
    onSuccess: ({ active }) => {
      queries.invalidateQueries({ queryKey: ['keys'] })
      toast(active ? `${label} works again` : `${label} revoked`)
      onDone?.()
    },
  })
}

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: dashboard.ApiKey; onClose(): void }) {
  const turn = useSwitch(apiKey, onClose)
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.label}?`}
      verb="Revoke key"
      busy={turn.isPending}
      error={turn.error}
      onConfirm={() => turn.mutate(false)}
      onClose={onClose}
    >
      Every request with this key is refused from now on. You can reactivate it later.
    </ConfirmDialog>
  )
}

export function ReactivateKeyButton({ apiKey }: { apiKey: dashboard.ApiKey }) {
  const turn = useSwitch(apiKey)
  return (
    <Button
      kind="quiet"
      size="small"
      needs={dashboardAddresses.updateKey}
      aria-label={`Reactivate ${apiKey.label}`}
      busy={turn.isPending}
      onClick={() => turn.mutate(true)}
    >
      Reactivate
    </Button>
  )
}
