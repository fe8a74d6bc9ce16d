// What was asked of the server and is still remembered, and what an ended session does to it.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'

export const sessionKey = ['session']

const heed = (error: Error) => {
  if (!(error instanceof Refusal)) return
  if (error.code === 'SESSION_REQUIRED') forgetEverything()
  // Someone signed in from another tab, so this page no longer knows who it speaks for.
  if (error.code === 'CSRF_TOKEN_INVALID') queryClient.invalidateQueries({ queryKey: sessionKey })
}

// What the server refused it will refuse again; what it failed at may work a moment later.
const retry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500)

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: heed }),
  mutationCache: new MutationCache({ onError: heed }),
  defaultOptions: { queries: { retry, staleTime: 10_000 } },
})

/** Nothing that one person saw is left for the next. */
export function forgetEverything(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  queryClient.setQueryData(sessionKey, null)
}
