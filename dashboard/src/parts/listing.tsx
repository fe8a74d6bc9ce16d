// A list of things in all its states: on its way, refused, empty, or a table with pages.
import type { Pagination } from '@parley/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Pager } from './pager.tsx'
import { RefusalNotice } from './refusal-notice.tsx'
import { ListSkeleton } from './skeleton.tsx'

export interface Column<Item> {
  readonly head: string
  /** Left out where the screen is narrow; the first column says the most important of it there. */
  readonly wide?: boolean
  /** Buttons: to the right, without a visible head. */
  readonly actions?: boolean
  cell(item: Item): ReactNode
}

interface ListingProps<Item> {
  /** What is listed, for those who do not see the page. */
  label: string
  query: UseQueryResult<{ data: Item[]; pagination: Pagination }>
  columns: readonly Column<Item>[]
  keyOf(item: Item): string
  /** The path of the list, below which its pages are. */
  at: string
  empty: ReactNode
}

const shown = ({ wide, actions }: { wide?: boolean; actions?: boolean }) =>
  `${wide ? 'hidden md:table-cell' : ''} ${actions ? 'text-right' : 'text-left'}`

export function Listing<Item>({ label, query, columns, keyOf, at, empty }: ListingProps<Item>) {
  if (query.isPending) return <ListSkeleton />
  if (query.isError) return <RefusalNotice error={query.error} />
  const { data, pagination } = query.data
  if (pagination.total === 0) return empty
  return (
    <>
      <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
        <table className="w-full border-collapse" aria-label={label}>
          <thead>
            <tr className="border-b border-line bg-rail text-xs text-muted">
              {columns.map((column) => (
                <th key={column.head} scope="col" className={`px-4 py-2 font-medium ${shown(column)}`}>
                  {column.actions ? <span className="sr-only">{column.head}</span> : column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {data.map((item) => (
              <tr key={keyOf(item)} className="relative transition-colors hover:bg-hover/60">
                {columns.map((column) => (
                  <td key={column.head} className={`px-4 py-3 align-middle ${shown(column)}`}>
                    {column.cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pager at={at} pagination={pagination} />
    </>
  )
}
