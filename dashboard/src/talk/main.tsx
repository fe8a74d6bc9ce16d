// The talk page starts here. A sign-in link in the address signs in, once.
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { api } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { SessionGate } from '../session/session.tsx'
import { WorkspaceProvider } from '../session/workspace.tsx'
import { Toasts } from '../ui/feedback/toasts.tsx'
import { TalkPage } from './talk-page.tsx'
import '../style/main.css'

const root = document.getElementById('root')
if (!root) throw new Error('talk.html has no root.')

/** The token of a sign-in link. It stands after the #, which is not sent to the server and appears in no log. */
const link = /^#sign-in=(.+)$/.exec(location.hash)?.[1]
let hint: string | undefined
if (link) {
  history.replaceState(null, '', location.pathname)
  await api.openLink({ token: link }).catch(() => {
    hint = 'This link was used before or is too old. The first start also printed a password.'
  })
}

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Toasts>
        <SessionGate hint={hint}>
          <WorkspaceProvider>
            <TalkPage />
          </WorkspaceProvider>
        </SessionGate>
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
)
