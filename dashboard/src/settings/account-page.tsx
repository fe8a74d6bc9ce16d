// The user's own account: the password, the sessions, and signing out.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useUser } from '../session/session.tsx'
import { SignOutButton } from '../session/sign-out-button.tsx'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Section } from '../ui/layout/section.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { OwnSessions } from './own-sessions.tsx'

const empty = { current_password: '', new_password: '' }

export function AccountPage() {
  const { email, name, owner, workspaces } = useUser()
  const names = useWorkspaceNames()
  const rights = owner
    ? 'Owner of this installation.'
    : workspaces.map((one) => `${roleWords[one.role]} of ${names[one.workspace_id] ?? '…'}.`).join(' ')
  const toast = useToast()
  const form = useForm(empty)
  const change = useMutation({
    mutationFn: api.changePassword,
    onSuccess: () => {
      form.replace(empty)
      toast('Password changed')
    },
  })
  return (
    <>
      <PageHeader title={name ?? 'Account'} lead={`${email}. ${rights}`} />
      <Section title="Password" lead="A new password ends your sessions in every other browser.">
        <Form
          form={form}
          error={change.error}
          onSubmit={(values) => change.mutate(values)}
          className="max-w-md space-y-4"
        >
          {/* The hidden field tells a password manager whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} />
          <TextField
            path="current_password"
            label="Current password"
            type="password"
            autoComplete="current-password"
          />
          <TextField
            path="new_password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters."
          />
          <Button type="submit" kind="primary" busy={change.isPending}>
            Change password
          </Button>
        </Form>
      </Section>
      <OwnSessions />
      <Section title="This browser" lead="You stay signed in here for a week.">
        <SignOutButton />
      </Section>
    </>
  )
}
