// Who is signed in. Everything inside the gate can rely on a signed-in user.
import type { dashboard } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useLayoutEffect, useRef, useState } from 'react'
import { api, Refusal } from '../api.ts'
import { lapsed, sessionKey } from '../query-client.ts'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { SignInPage } from './sign-in-page.tsx'

const Signed = createContext<dashboard.User | null>(null)

export function useUser(): dashboard.User {
  const user = use(Signed)
  if (!user) throw new Error('Nobody is signed in here.')
  return user
}

const currentSession = (): Promise<dashboard.Session | null | typeof lapsed> =>
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
  const isLapsed = session.data === lapsed
  const signedIn = session.data && session.data !== lapsed ? session.data.user : null
  const [last, setLast] = useState(signedIn)
  if (!isLapsed && last !== signedIn) setLast(signedIn)
  if (session.isPending) return null
  if (session.isError) {
    return (
      <div className="mx-auto mt-24 max-w-md px-4">
        <RefusalNotice error={session.error} />
      </div>
    )
  }
  const user = isLapsed ? last : signedIn
  if (!user) return <SignInPage hint={hint} />
  return (
    <>
      {isLapsed && <LapsedPage />}
      {/* The page stays mounted but hidden: another person may sit here by now. */}
      <div hidden={isLapsed}>
        <Signed value={user} key={user.user_id}>
          {children}
        </Signed>
      </div>
    </>
  )
}

/** Shows the sign-in page above everything: a dialog that was open when the session ended would take all input. */
function LapsedPage() {
  const element = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => element.current?.showModal(), [])
  return (
    <dialog
      ref={element}
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      className="m-0 h-dvh max-h-none w-dvw max-w-none p-0 text-ink"
    >
      <SignInPage hint="Your session has ended. What you were doing is kept until you are back." />
    </dialog>
  )
}
