// Lists that are read to their end, page by page.
import { limits } from '@parley/contract'
import type { Infrastructure } from '../platform/infrastructure.ts'

export function listAll<Item>(
  read: (page: Infrastructure & { query: { page: number; limit: number } }) => Promise<{ data: Item[] }>,
) {
  return async (infrastructure: Infrastructure): Promise<Item[]> => {
    const items: Item[] = []
    for (let page = 1; ; page++) {
      const { data } = await read({ ...infrastructure, query: { page, limit: limits.limit.max } })
      items.push(...data)
      if (data.length < limits.limit.max) return items
    }
  }
}
