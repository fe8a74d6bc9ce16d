// HTTP routes of batches.
import {
  cancelBatch,
  createBatch,
  deleteBatch,
  executeBatch,
  getBatch,
  getBatchResults,
  listBatches,
  listRecipients,
  pauseBatch,
  resumeBatch,
  updateBatch,
  watchBatch,
} from '@parley/contract'
import { CsvFile, EventStream } from '../../http/body/text-stream.ts'
import type { Upload } from '../../http/body/upload.ts'
import type { Mount } from '../../http/doors/voice-door.ts'
import type { Batches } from './batches.ts'
import type { LiveBatches } from './live-batches.ts'
import type { ResultLines } from './results.ts'

export function mountBatches(
  mount: Mount,
  batches: Batches,
  live: LiveBatches,
  resultsOf: ResultLines,
): void {
  mount(createBatch, (_input, { workspaceId, upload, work }) =>
    batches.create(workspaceId, upload as Upload, work),
  )
  mount(listBatches, ({ query }, { workspaceId }) => {
    const { status, agent_id: agentId, ...page } = query
    return batches.list(workspaceId, { status, agentId }, page)
  })
  mount(getBatch, ({ params }, { workspaceId }) => batches.get(workspaceId, params.id))
  mount(updateBatch, ({ params, body }, { workspaceId }) => batches.update(workspaceId, params.id, body))
  mount(deleteBatch, ({ params }, { workspaceId }) => batches.remove(workspaceId, params.id))
  mount(listRecipients, ({ params, query }, { workspaceId }) => {
    const { status, ...page } = query
    return batches.recipients(workspaceId, params.id, status, page)
  })

  mount(executeBatch, ({ params }, { workspaceId, work }) =>
    batches.command(workspaceId, params.id, 'execute', work),
  )
  mount(pauseBatch, ({ params }, { workspaceId, work }) =>
    batches.command(workspaceId, params.id, 'pause', work),
  )
  mount(resumeBatch, ({ params }, { workspaceId, work }) =>
    batches.command(workspaceId, params.id, 'resume', work),
  )
  mount(cancelBatch, ({ params }, { workspaceId, work }) =>
    batches.command(workspaceId, params.id, 'cancel', work),
  )

  mount(watchBatch, async ({ params }, { workspaceId }) => {
    await batches.mustExist(workspaceId, params.id)
    return new EventStream(live.textOf(params.id))
  })
  mount(getBatchResults, async ({ params }, { workspaceId }) => {
    await batches.mustExist(workspaceId, params.id)
    return new CsvFile(`batch-${params.id}.csv`, resultsOf(params.id))
  })
}
