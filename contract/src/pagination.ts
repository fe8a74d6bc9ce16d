// Lists: how a page is asked for and how it is answered.
import { z } from 'zod'
import * as limits from './limits.ts'
import { wholeNumber } from './words.ts'

const count = () => z.int().min(0)

export const PageQuery = z.strictObject({
  page: wholeNumber(z.int().min(limits.page.min))
    .default(limits.page.default)
    .describe('Which page, counted from 1.'),
  limit: wholeNumber(z.int().min(limits.limit.min).max(limits.limit.max))
    .default(limits.limit.default)
    .describe('How many items a page has.'),
})

export type PageQuery = z.infer<typeof PageQuery>

export const Pagination = z
  .strictObject({
    page: count().describe('The number of this page, counted from 1.'),
    limit: count().describe('How many items a page has.'),
    total: count().describe('How many items there are on all pages.'),
    total_pages: count().describe('How many pages there are; 0 if there is no item.'),
    has_next_page: z.boolean().describe('Whether there is a page after this one.'),
    has_prev_page: z.boolean().describe('Whether there is a page before this one.'),
  })
  .meta({ id: 'Pagination', description: 'Where a page stands in its list.' })

export type Pagination = z.infer<typeof Pagination>

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    data: z.array(item).max(limits.limit.max).describe('The items of this page, in the order of the list.'),
    pagination: Pagination.describe('Where this page stands in the list.'),
  })

export const paginate = ({ page, limit }: PageQuery, total: number): Pagination => {
  const totalPages = Math.ceil(total / limit)
  return {
    page,
    limit,
    total,
    total_pages: totalPages,
    has_next_page: page < totalPages,
    has_prev_page: page > 1,
  }
}
