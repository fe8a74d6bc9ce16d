// Who is signed in. Everything inside the gate can rely on a signed-in user.
import type { dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import { api, Refusal } from '../api.ts'
import { sessionKey } from '../query-client.ts'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { SignInPage } from './sign-in-page.tsx'

const Signed = createContext<dashboard.User | null>(null)

export function useUser(): dashboard.User {
  const user = use(Signed)
  if (!user) throw new Error('Nobody is signed in here.')
  return user
}

const currentSession = () =>
  api.session().catch((error) => {
    if (error instanceof Refusal && error.code === 'SESSION_REQUIRED') return null
    throw error
  })

/** `hint` is shown on the sign-in page. */
export function SessionGate({ children, hint }: { children: ReactNode; hint?: string | undefined }) {
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: currentSession,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  if (session.isPending) return null
  if (session.isError) {
    return (
      <div className="mx-auto mt-24 max-w-md px-4">
        <RefusalNotice error={session.error} />
      </div>
    )
  }
  if (!session.data) return <SignInPage hint={hint} />
  const { user } = session.data
  return (
    <Signed value={user} key={user.user_id}>
      {children}
    </Signed>
  )
}
