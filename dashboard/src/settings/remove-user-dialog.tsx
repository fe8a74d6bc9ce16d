// The dialog that removes a user after confirmation.
import type { dashboard } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'

export function RemoveUserDialog({ user, onClose }: { user: dashboard.User; onClose(): void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteUser(user.user_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['users'] })
      toast(`${user.email} removed`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Remove this user?"
      verb="Remove user"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <strong className="font-medium text-ink">{user.email}</strong> is signed out at once and cannot come
      back. The keys and agents they made stay.
    </ConfirmDialog>
  )
}
