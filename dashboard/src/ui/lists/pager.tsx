// Previous and next page of a list.
import type { Pagination } from '@parley/contract'
import { go, pageAt } from '../../router.tsx'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'

interface PagerProps {
  at: string
  pagination: Pagination
  /** The number at which the server stops counting: such a total means "as many or more". */
  countedTo?: number | undefined
}

export function Pager({ at, pagination, countedTo }: PagerProps) {
  const { page, limit, total, total_pages, has_next_page, has_prev_page } = pagination
  if (total_pages <= 1 && page === 1) return null
  const first = Math.min(total, (page - 1) * limit + 1)
  return (
    <nav aria-label="Pages" className="mt-4 flex items-center justify-between gap-4 text-muted">
      <p className="text-[0.8125rem] tabular-nums">
        {first}–{Math.min(total, page * limit)} of {total.toLocaleString('en')}
        {total === countedTo && ' or more'}
      </p>
      <div className="flex gap-2">
        <Button disabled={!has_prev_page} onClick={() => go(pageAt(at, Math.min(page - 1, total_pages)))}>
          <Icon name="back" className="size-3.5" />
          Previous
        </Button>
        <Button disabled={!has_next_page} onClick={() => go(pageAt(at, page + 1))}>
          Next
          <Icon name="next" className="size-3.5" />
        </Button>
      </div>
    </nav>
  )
}
