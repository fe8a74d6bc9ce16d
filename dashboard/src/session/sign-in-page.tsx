// The sign-in page. It leads to the requested page.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { beginSession } from '../query-client.ts'
import { Button } from '../ui/controls/button.tsx'
import { Logo } from '../ui/controls/icons.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'

export function SignInPage({ hint }: { hint?: string | undefined }) {
  const form = useForm({ email: '', password: '' })
  const login = useMutation({
    mutationFn: api.login,
    networkMode: 'always',
    onSuccess: beginSession,
  })
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-rail px-4 py-12">
      <title>Sign in · Parley</title>
      <div className="w-full max-w-sm">
        <div className="mb-7 flex flex-col items-center text-center">
          <Logo className="mb-4 size-10" />
          <h1 className="text-xl font-semibold tracking-tight">Sign in to Parley</h1>
          <p className="mt-1 text-muted">{hint ?? 'Voice agents on your own machines.'}</p>
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <Form
            form={form}
            error={login.error}
            onSubmit={({ email, ...rest }) => login.mutate({ email: email.trim(), ...rest })}
          >
            <TextField path="email" label="E-mail" type="email" autoComplete="username" autoFocus />
            <TextField path="password" label="Password" type="password" autoComplete="current-password" />
            <Button type="submit" kind="primary" busy={login.isPending} className="w-full">
              {login.isPending ? 'Signing in…' : 'Sign in'}
            </Button>
          </Form>
        </div>
        <p className="mt-5 text-center text-[0.8125rem] text-muted">
          <a href="/docs" className="underline decoration-edge underline-offset-3 hover:text-ink">
            API reference
          </a>
        </p>
      </div>
    </main>
  )
}
