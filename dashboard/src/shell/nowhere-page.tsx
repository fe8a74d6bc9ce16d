// The page for unknown addresses.
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'

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
