// The page at the current address, inside the session and the frame that every page has.
import type { ReactNode } from 'react'
import { InvitationPage, pageAt } from './pages.tsx'
import { usePlace } from './router.tsx'
import { SessionGate, useUser } from './session/session.tsx'
import { WorkspaceProvider } from './session/workspace.tsx'
import { InWorkspace } from './shell/in-workspace.tsx'
import { NowherePage } from './shell/nowhere-page.tsx'
import { Shell } from './shell/shell.tsx'
import { LazyPart } from './ui/feedback/lazy-part.tsx'
import { ListSkeleton } from './ui/feedback/skeleton.tsx'
import { Toasts } from './ui/feedback/toasts.tsx'

export function App() {
  const { steps } = usePlace()
  if (steps[0] === 'invitation')
    return (
      <LazyPart isPage>
        <InvitationPage />
      </LazyPart>
    )
  return (
    <Toasts>
      <SessionGate>
        <WorkspaceProvider>
          <Shell>
            {/* The key makes every address begin anew: a page keeps neither the fields nor the fault of another. */}
            <LazyPart key={steps.join('/')} isPage fallback={<ListSkeleton />}>
              <PageHere />
            </LazyPart>
          </Shell>
        </WorkspaceProvider>
      </SessionGate>
    </Toasts>
  )
}

function PageHere(): ReactNode {
  const { steps } = usePlace()
  const { owner } = useUser()
  const match = pageAt(steps.length === 0 ? ['agents'] : steps)
  // Other roles depend on the workspace and may not be known yet; the server refuses what they may not see.
  if (!match || (match.page.needs?.access === 'owner' && !owner)) return <NowherePage />
  const { component: Component, inWorkspace } = match.page
  if (!inWorkspace) return <Component {...match.values} />
  return <InWorkspace>{(workspace) => <Component {...match.values} workspace={workspace} />}</InWorkspace>
}
