// HTTP routes of usage, limits and notices.
import {
  getConcurrency,
  getPublicPrices,
  getUsage,
  getUsageLimits,
  getUsagePrices,
  listNotices,
} from '@parley/contract'
import { CsvFile } from '../../http/body/text-stream.ts'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { notices } from './notices.ts'
import { publicPrices } from './public-prices.ts'
import { csvOfUsage, mostGroups, type Usage } from './usage.ts'

export function mountUsage(mount: Mount, usage: Usage, board: ReturnType<typeof notices>): void {
  mount(getUsage, async ({ query }, { workspaceId, prefersCsv }) => {
    const { group_by: groupBy, agent_id: agentId, format, ...rest } = query
    const isCsv = format === undefined ? prefersCsv : format === 'csv'
    const whole = isCsv ? { page: 1, limit: mostGroups } : {}
    const report = await usage.report(workspaceId, { ...rest, groupBy, agentId, ...whole })
    if (!isCsv) return report
    const name = `usage-by-${groupBy}-${report.from.slice(0, 10)}.csv`
    return new CsvFile(name, async function* () {
      yield csvOfUsage(report)
    })
  })
  mount(getConcurrency, ({ query }, { workspaceId }) => usage.concurrency(workspaceId, query.from))
  mount(getUsageLimits, (_input, { workspaceId }) => usage.limits(workspaceId))
  mount(getPublicPrices, async () => publicPrices)
  mount(getUsagePrices, (_input, { workspaceId }) => usage.prices(workspaceId))
  mount(listNotices, ({ query }, { workspaceId }) => board.list(workspaceId, query))
}
