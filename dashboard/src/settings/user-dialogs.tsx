// The dialogs in which an owner changes a user: roles, a link for a new password, sessions, removal.
import type { dashboard } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { sessionKey } from '../query-client.ts'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/controls/button.tsx'
import { ShownOnce } from '../ui/controls/shown-once.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { Dialog, DialogActions, FormActions } from '../ui/dialogs/dialog.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { CheckField } from '../ui/forms/choice-fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { When } from '../ui/words/when.tsx'
import { membershipsOf, RolesField, rolesOf } from './roles-field.tsx'
import { SessionRows } from './session-rows.tsx'

interface UserDialogProps {
  user: dashboard.User
  onClose(): void
}

export function UserDialog({ user, onClose }: UserDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const self = useUser()
  const form = useForm({ owner: user.owner, roles: rolesOf(user.workspaces) })
  const change = useMutation({
    mutationFn: ({ owner, roles }: typeof form.values) =>
      api.updateUser(user.user_id, { owner, workspaces: membershipsOf(roles) }),
    onSuccess: ({ email, user_id }) => {
      queries.invalidateQueries({ queryKey: ['users'] })
      if (user_id === self.user_id) queries.invalidateQueries({ queryKey: sessionKey })
      toast(`${email} changed`)
      onClose()
    },
  })
  return (
    <Dialog title={user.email} onClose={onClose}>
      <Form form={form} error={change.error} onSubmit={(values) => change.mutate(values)}>
        <CheckField path="owner" label="Owner" hint="May do everything in every workspace." />
        {!form.values.owner && <RolesField path="roles" label="Roles" faultsOf="workspaces" />}
        <FormActions verb="Save" busy={change.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

export function PasswordLinkDialog({ user, onClose }: UserDialogProps) {
  const make = useMutation({ mutationFn: () => api.createPasswordLink(user.user_id) })
  if (make.data) {
    return (
      <ShownOnce
        title="New password"
        what="link"
        secret={make.data.link}
        why="Only a hash of it is stored, so it is never shown again."
        onClose={onClose}
      >
        <p className="text-muted">
          Send it to {user.email}. It works once, until <When at={make.data.expires_at} />.
        </p>
      </ShownOnce>
    )
  }
  return (
    <Dialog title="New password" onClose={onClose}>
      <div className="space-y-4">
        <p className="text-muted">
          With a link, <strong className="font-medium text-ink">{user.email}</strong> chooses a new password.
          The current password works until then.
        </p>
        {make.error && <RefusalNotice error={make.error} />}
        <DialogActions>
          <Button kind="primary" busy={make.isPending} onClick={() => make.mutate()}>
            Make a link
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

export function UserSessionsDialog({ user, onClose }: UserDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const sessions = useQuery({
    queryKey: ['sessions', user.user_id],
    queryFn: () => api.userSessions(user.user_id),
  })
  const end = useMutation({
    mutationFn: () => api.endUserSessions(user.user_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['sessions'] })
      toast(`${user.email} is signed out everywhere`)
      onClose()
    },
  })
  const error = sessions.error ?? end.error
  return (
    <Dialog title={`Sessions of ${user.email}`} onClose={onClose}>
      <div className="space-y-4">
        {error && <RefusalNotice error={error} />}
        {sessions.data?.data.length === 0 && <p className="text-muted">Signed in nowhere.</p>}
        {sessions.data && <SessionRows sessions={sessions.data.data} />}
        <DialogActions>
          <Button kind="danger" busy={end.isPending} onClick={() => end.mutate()}>
            End all
          </Button>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

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
    <ConfirmDialog title="Remove this user?" verb="Remove user" action={remove} onClose={onClose}>
      <strong className="font-medium text-ink">{user.email}</strong> is signed out at once and cannot come
      back. The keys and agents they made stay.
    </ConfirmDialog>
  )
}
