// The page behind a link to a shared call: read-only, without signing in.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SharedPage } from './shared-page.tsx'
import '../style/main.css'

const root = document.getElementById('root')
if (!root) throw new Error('shared.html has no root.')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: 1 } } })}>
      <SharedPage />
    </QueryClientProvider>
  </StrictMode>,
)
