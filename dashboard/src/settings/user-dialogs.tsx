// Adds a user, or changes a user's role, workspaces or password.
import type { dashboard } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { sessionKey } from '../query-client.ts'
import { useUser } from '../session/session.tsx'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { ChecksField, SelectField } from '../ui/choice-fields.tsx'
import { Dialog, FormActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/fields.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { useToast } from '../ui/toasts.tsx'

const roles: Record<dashboard.Role, string> = { member: 'Member', admin: 'Administrator' }

export function NewUserDialog({ onClose }: { onClose(): void }) {
  const form = useForm({
    email: '',
    password: '',
    role: 'member' as dashboard.Role,
    workspace_ids: [] as string[],
  })
  const add = useUserMutation(api.createUser, ({ email }) => `${email} added`, onClose)
  return (
    <Dialog title="Add user" onClose={onClose}>
      <Form form={form} error={add.error} onSubmit={(values) => add.mutate(values)}>
        <TextField path="email" label="E-mail" type="email" autoComplete="off" />
        <TextField
          path="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters. They can change it on their account page."
        />
        <Reach role={form.values.role} />
        <FormActions verb="Add user" busy={add.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

export function UserDialog({ user, onClose }: { user: dashboard.User; onClose(): void }) {
  const self = useUser()
  const { role, workspace_ids } = user
  const form = useForm({ role, workspace_ids, password: '' })
  const change = useUserMutation(
    ({ password, ...values }: typeof form.values) =>
      api.updateUser(user.user_id, { ...values, ...(password && { password }) }),
    ({ email }) => `${email} changed`,
    onClose,
  )
  return (
    <Dialog title={user.email} onClose={onClose}>
      <Form form={form} error={change.error} onSubmit={(values) => change.mutate(values)}>
        <Reach role={form.values.role} />
        {user.user_id !== self.user_id && (
          <TextField
            path="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="Leave it empty to keep the present one. A new one signs them out everywhere."
          />
        )}
        <FormActions verb="Save" busy={change.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function useUserMutation<Values>(
  save: (values: Values) => Promise<dashboard.User>,
  said: (user: dashboard.User) => string,
  onDone: () => void,
) {
  const queries = useQueryClient()
  const toast = useToast()
  const self = useUser()
  return useMutation({
    mutationFn: save,
    onSuccess: (user) => {
      queries.invalidateQueries({ queryKey: ['users'] })
      if (user.user_id === self.user_id) queries.invalidateQueries({ queryKey: sessionKey })
      toast(said(user))
      onDone()
    },
  })
}

function Reach({ role }: { role: dashboard.Role }) {
  const names = useWorkspaceNames()
  return (
    <>
      <SelectField
        path="role"
        label="Role"
        options={roles}
        hint={role === 'admin' ? 'Sees every workspace and manages users.' : undefined}
      />
      {role === 'member' && <ChecksField path="workspace_ids" label="Workspaces" options={names} />}
    </>
  )
}
