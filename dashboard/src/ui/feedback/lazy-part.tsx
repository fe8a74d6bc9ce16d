// A part of the dashboard that is loaded when it is needed. Where loading or rendering it fails, a notice takes its place:
// otherwise React would leave the whole dashboard blank.
import { Component, type ReactNode, Suspense } from 'react'
import { Button } from '../controls/button.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { EmptyState } from './empty-state.tsx'

interface LazyPartProps {
  /** Shown while the part is being loaded. */
  fallback?: ReactNode
  /** Whether the part is a whole page, whose notice needs a title. */
  isPage?: boolean
  children: ReactNode
}

interface LazyPartState {
  readonly fault?: unknown
}

export class LazyPart extends Component<LazyPartProps, LazyPartState> {
  override state: LazyPartState = {}

  static getDerivedStateFromError(fault: unknown): LazyPartState {
    return { fault }
  }

  override render() {
    const { fallback, isPage = false, children } = this.props
    const { fault } = this.state
    return fault === undefined ? (
      <Suspense fallback={fallback}>{children}</Suspense>
    ) : (
      <Notice fault={fault} isPage={isPage} />
    )
  }
}

// Every browser has its own words for a script that could not be loaded.
const isMissing = (fault: unknown) =>
  /dynamically imported module|importing a module script|preload css/i.test(String(fault))

function Notice({ fault, isPage }: { fault: unknown; isPage: boolean }) {
  return (
    <div role="alert">
      {isPage && <PageHeader title="Something is missing" />}
      <EmptyState
        icon="alert"
        title={isMissing(fault) ? 'This could not be loaded' : 'This could not be shown'}
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      >
        {isMissing(fault)
          ? 'The connection was lost, or Parley was upgraded since this page was opened.'
          : `If it happens again after a reload, please report it: ${String(fault)}`}
      </EmptyState>
    </div>
  )
}
