// The arguments and answers that several resources share.
import type { Pagination } from './wire.ts'

export interface PageQuery {
  /** The number of the page, counted from 1. */
  page?: number
  /** Items per page, at most 100. */
  limit?: number
}

export interface Page<Item> {
  data: Item[]
  pagination: Pagination
}

export interface RequestOptions {
  /** Makes a retry of your own safe: the same key within 24 hours gets the first answer again. */
  idempotencyKey?: string
}
