// The cache of the server's answers, and what happens to it when the session ends.
import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query'
import { Refusal } from './api.ts'

export const sessionKey = ['session']

/** Stands in the place of a session that has ended by itself. The page keeps what was typed until the user is back. */
export const lapsed = 'lapsed'

const heed = (error: Error) => {
  if (!(error instanceof Refusal)) return
  if (error.code === 'SESSION_REQUIRED') lapse()
  // Somebody signed in from another tab, so the user of this page may have changed.
  if (error.code === 'CSRF_TOKEN_INVALID') queryClient.invalidateQueries({ queryKey: sessionKey })
  // A role was changed meanwhile.
  if (error.code === 'ROLE_REQUIRED' || error.code === 'WORKSPACE_ACCESS_DENIED') rightsChanged()
}

function rightsChanged(): void {
  queryClient.invalidateQueries({ queryKey: sessionKey })
  queryClient.invalidateQueries({ queryKey: ['workspaces'] })
}

/** Stops all requests until somebody has signed in: each would be refused. */
function lapse(): void {
  if (queryClient.getQueryData(sessionKey) === undefined) return
  onlineManager.setOnline(false)
  queryClient.setQueryData(sessionKey, lapsed)
}

// A request that was refused (4xx) would be refused again; another failure may be over a moment later.
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

/** Fills the cache after somebody has signed in. */
export function beginSession(session: unknown): void {
  onlineManager.setOnline(true)
  queryClient.setQueryData(sessionKey, session)
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] })
}
