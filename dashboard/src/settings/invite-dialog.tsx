// The dialog that invites somebody by a link, which is shown once.
import type { BodyOf, dashboard } from '@parley/contract'
import type { Role } from '@parley/contract/addresses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ShownOnce } from '../ui/controls/shown-once.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { CheckField, SelectField } from '../ui/forms/choice-fields.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { roleHints, roleWords } from '../ui/words/role-words.ts'
import { When } from '../ui/words/when.tsx'
import { membershipsOf, RolesField } from './roles-field.tsx'

interface InviteDialogProps {
  /** The workspace of the invitation. Absent: an owner invites to any of them. */
  workspace?: dashboard.Workspace
  onClose(): void
}

export function InviteDialog({ workspace, onClose }: InviteDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const form = useForm({
    email: '',
    owner: false,
    role: 'editor' as Role,
    roles: {} as Record<string, string>,
  })
  const { role, owner } = form.values
  const invite = useMutation({
    mutationFn: (body: BodyOf<typeof dashboard.createInvitation>) => api.createInvitation(body),
    onSuccess: (made) => {
      for (const key of ['invitations', 'members', 'users']) queries.invalidateQueries({ queryKey: [key] })
      if (made.is === 'invited') return
      toast(`${made.email} was a user already and is added`)
      onClose()
    },
  })
  if (invite.data?.is === 'invited') return <LinkShown {...invite.data} onClose={onClose} />
  const submit = ({ email, roles }: typeof form.values) =>
    invite.mutate({
      email: email.trim(),
      owner,
      workspaces: workspace
        ? [{ workspace_id: workspace.workspace_id, role }]
        : owner
          ? []
          : membershipsOf(roles),
    })
  return (
    <Dialog title={workspace ? `Invite to ${workspace.name}` : 'Invite'} onClose={onClose}>
      <Form form={form} error={invite.error} onSubmit={submit}>
        <TextField path="email" label="E-mail" type="email" autoComplete="off" />
        {workspace ? (
          <SelectField path="role" label="Role" options={roleWords} hint={roleHints[role]} />
        ) : (
          <>
            <CheckField path="owner" label="Owner" hint="May do everything in every workspace." />
            {!owner && <RolesField path="roles" label="Roles" faultsOf="workspaces" />}
          </>
        )}
        <FormActions verb="Make a link" busy={invite.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

interface LinkShownProps {
  link: string
  expires_at: string
  invitation: dashboard.Invitation
  onClose(): void
}

function LinkShown({ link, expires_at, invitation, onClose }: LinkShownProps) {
  return (
    <ShownOnce
      title={`Invitation of ${invitation.email}`}
      what="link"
      secret={link}
      why="Only a hash of it is stored, so it is never shown again."
      onClose={onClose}
    >
      <p className="text-muted">
        Send it to them yourself; Parley sends no mail. It works once, until <When at={expires_at} />.
      </p>
    </ShownOnce>
  )
}
