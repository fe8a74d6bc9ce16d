// The cache of the server's answers, and what happens to it when the session ends.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'

export const sessionKey = ['session']

const heed = (error: Error) => {
  if (!(error instanceof Refusal)) return
  if (error.code === 'SESSION_REQUIRED') forgetEverything()
  // Somebody signed in from another tab, so the user of this page may have changed.
  if (error.code === 'CSRF_TOKEN_INVALID') queryClient.invalidateQueries({ queryKey: sessionKey })
}

// A refusal (4xx) would be repeated; a failure may be over a moment later.
const retry = (failures: number, error: Error) =>
  failures < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500)

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: heed }),
  mutationCache: new MutationCache({ onError: heed }),
  defaultOptions: { queries: { retry, staleTime: 10_000 } },
})

/** Clears the cache, so that the next user sees nothing of the previous one. */
export function forgetEverything(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
  queryClient.setQueryData(sessionKey, null)
}
