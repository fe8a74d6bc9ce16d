// The page for unknown addresses.
import { ButtonLink } from '../ui/controls/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'

export function NowherePage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="alert"
        title="There is no page here"
        action={<ButtonLink to="/agents">Go to agents</ButtonLink>}
      >
        The address may be mistyped, or you may not have access to this page.
      </EmptyState>
    </>
  )
}
