// There is nothing at this address.
import { ButtonLink } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

export function NowherePage() {
  return (
    <>
      <PageHeader title="Not found" />
      <EmptyState
        icon="alert"
        title="There is no page here"
        action={<ButtonLink to="/agents">Go to agents</ButtonLink>}
      >
        The address may be mistyped, or lead to a page that is not yours to see.
      </EmptyState>
    </>
  )
}
