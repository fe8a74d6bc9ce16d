// The page behind the link of an invitation, where the invited person chooses a name and a password. It also sets a new
// password.
import type { DataOf, dashboard } from '@parley/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { beginSession } from '../query-client.ts'
import { go } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Logo } from '../ui/controls/icons.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { roleWords } from '../ui/words/role-words.ts'

type Invitation = DataOf<typeof dashboard.readInvitation>

export function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1))
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.readInvitation({ token }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-rail px-4 py-12">
      <title>Invitation · Parley</title>
      <div className="w-full max-w-sm">
        <div className="mb-7 flex flex-col items-center text-center">
          <Logo className="mb-4 size-10" />
          <h1 className="text-xl font-semibold tracking-tight">
            {invitation.data?.is === 'password' ? 'Choose a new password' : 'Welcome to Parley'}
          </h1>
          {invitation.data && <p className="mt-1 text-muted">{leadOf(invitation.data)}</p>}
        </div>
        {invitation.error && <RefusalNotice error={invitation.error} />}
        {invitation.data && <Acceptance token={token} invited={invitation.data} />}
        <p className="mt-5 text-center text-[0.8125rem] text-muted">
          <a href="/dashboard/" className="underline decoration-edge underline-offset-3 hover:text-ink">
            Sign in instead
          </a>
        </p>
      </div>
    </main>
  )
}

function leadOf({ is, email, owner, workspaces }: Invitation): string {
  if (is === 'password') return `For ${email}. It ends your sessions everywhere else.`
  if (owner) return `${email} becomes an owner of this installation.`
  return workspaces.map(({ name, role }) => `${roleWords[role]} of ${name}`).join(', ')
}

function Acceptance({ token, invited }: { token: string; invited: Invitation }) {
  const form = useForm({ name: '', password: '' })
  const accept = useMutation({
    mutationFn: ({ name, password }: typeof form.values) =>
      api.acceptInvitation({ token, password, ...(invited.is === 'invitation' && { name }) }),
    onSuccess: (session) => {
      beginSession(session)
      go('/', { replace: true })
    },
  })
  return (
    <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
      <Form form={form} error={accept.error} onSubmit={(values) => accept.mutate(values)}>
        {/* The hidden field tells a password manager whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={invited.email} />
        {invited.is === 'invitation' && (
          <TextField path="name" label="Your name" autoComplete="name" autoFocus />
        )}
        <TextField
          path="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          hint="At least 12 characters."
        />
        <Button type="submit" kind="primary" busy={accept.isPending} className="w-full">
          {invited.is === 'invitation' ? 'Join' : 'Save and sign in'}
        </Button>
      </Form>
    </div>
  )
}
