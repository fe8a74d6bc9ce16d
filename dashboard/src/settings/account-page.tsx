// The user's own account: the password, the sessions, and signing out.

import type { dashboard } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useUser } from '../session/session.tsx'
import { SignOutButton } from '../session/sign-out-button.tsx'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Section } from '../ui/layout/section.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { deviceWords } from './device-words.ts'
import { SessionRows } from './session-rows.tsx'

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

function OwnSessions() {
  const queries = useQueryClient()
  const toast = useToast()
  const sessions = useQuery({ queryKey: ['sessions', 'own'], queryFn: api.sessions })
  const end = useMutation({
    mutationFn: (session: dashboard.SignedIn | 'others') =>
      session === 'others' ? api.endOtherSessions() : api.endSession(session.session_id),
    onSuccess: (_ended, session) =>
      toast(
        session === 'others' ? 'Signed out everywhere else' : `${deviceWords(session.device)} signed out`,
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const all = sessions.data?.data ?? []
  const error = sessions.error ?? end.error
  return (
    <Section
      title="Sessions"
      lead="Where you are signed in. End any session you do not recognise, then change your password."
    >
      {error && <RefusalNotice error={error} />}
      {all.length > 0 && (
        <SessionRows
          sessions={all}
          action={(session) =>
            session.current ? null : (
              <Button
                kind="quiet"
                size="small"
                className="-mr-2"
                aria-label={`End ${deviceWords(session.device)}`}
                onClick={() => end.mutate(session)}
              >
                End
              </Button>
            )
          }
        />
      )}
      {all.length > 1 && (
        <Button busy={end.isPending} onClick={() => end.mutate('others')}>
          Sign out everywhere else
        </Button>
      )}
    </Section>
  )
}
