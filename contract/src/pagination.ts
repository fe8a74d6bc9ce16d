// Lists: how a page is asked for and how it is answered.
import { z } from 'zod'
import * as limits from './limits.ts'
import { wholeNumber } from './words.ts'

const count = () => z.int().min(0)

export const PageQuery = z.strictObject({
  page: wholeNumber(z.int().min(limits.page.min))
    .default(limits.page.default)
    .meta({ description: 'Which page, counted from 1.' }),
  limit: wholeNumber(z.int().min(limits.limit.min).max(limits.limit.max))
    .default(limits.limit.default)
    .meta({ description: 'Items per page.' }),
})

export type PageQuery = z.infer<typeof PageQuery>

export const Pagination = z
  .strictObject({
    page: count(),
    limit: count(),
    total: count(),
    total_pages: count(),
    has_next_page: z.boolean(),
    has_prev_page: z.boolean(),
  })
  .meta({ id: 'Pagination' })

export type Pagination = z.infer<typeof Pagination>

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ data: z.array(item).max(limits.limit.max), pagination: Pagination })

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
