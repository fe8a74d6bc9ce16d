// A list in all its states: loading, refused, empty, or a table with pages.
import type { Pagination } from '@parley/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RefusalNotice } from '../feedback/refusal-notice.tsx'
import { ListSkeleton } from '../feedback/skeleton.tsx'
import { Pager } from './pager.tsx'
import { type Column, Table } from './table.tsx'

interface ListingProps<Item> {
  /** What is listed, for screen readers. */
  label: string
  query: UseQueryResult<{ data: Item[]; pagination: Pagination }>
  columns: readonly Column<Item>[]
  keyOf(item: Item): string
  /** The path of the list, below which its pages are. */
  at: string
  empty: ReactNode
  /** The number at which the server stops counting. */
  countedTo?: number
}

export function Listing<Item>({ label, query, columns, keyOf, at, empty, countedTo }: ListingProps<Item>) {
  if (query.isPending) return <ListSkeleton />
  if (query.isError) return <RefusalNotice error={query.error} />
  const { data, pagination } = query.data
  if (pagination.total === 0) return empty
  return (
    <>
      <Table label={label} items={data} columns={columns} keyOf={keyOf} />
      <Pager at={at} pagination={pagination} countedTo={countedTo} />
    </>
  )
}
