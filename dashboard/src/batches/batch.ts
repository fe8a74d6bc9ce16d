// Queries of batches, and their live progress.
import type { BatchDetail, BatchProgress, BatchStatus } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api.ts'

export interface BatchPlace {
  readonly workspaceId: string
  readonly batchId: string
}

/** The prefix of the query keys of one batch. */
export const batchKey = ({ workspaceId, batchId }: BatchPlace, ...more: unknown[]) => [
  'batch',
  workspaceId,
  batchId,
  ...more,
]

export const useBatch = (place: BatchPlace) =>
  useQuery({
    queryKey: batchKey(place, 'itself'),
    queryFn: () => api.batch(place.workspaceId, place.batchId),
    staleTime: 0,
  })

export const isOver = (status: BatchStatus): boolean => ['completed', 'cancelled', 'failed'].includes(status)

/** While the batch can change, its events update what is shown. */
export function useBatchProgress(place: BatchPlace, live: boolean): void {
  const { workspaceId, batchId } = place
  const queries = useQueryClient()
  useEffect(() => {
    if (!live) return
    const events = api.watchBatch(workspaceId, batchId)
    const take = ({ data }: MessageEvent<string>) => {
      const { at, ...progress } = JSON.parse(data) as BatchProgress & { at: string }
      const key = batchKey({ workspaceId, batchId }, 'itself')
      const before = queries.getQueryData<BatchDetail>(key)
      queries.setQueryData<BatchDetail>(key, (batch) => batch && { ...batch, ...progress })
      queries.invalidateQueries({ queryKey: batchKey({ workspaceId, batchId }, 'recipients') })
      // The events do not say when it started and ended.
      if (before?.status !== progress.status) queries.invalidateQueries({ queryKey: key })
    }
    events.addEventListener('progress', take)
    events.addEventListener('ended', (event) => {
      take(event)
      events.close()
    })
    return () => events.close()
  }, [workspaceId, batchId, live, queries])
}

/** After a change: reads the lists again and, with a place, everything that is shown of that batch. */
export function useBatchRefresh() {
  const queries = useQueryClient()
  return (place?: BatchPlace) => {
    queries.invalidateQueries({ queryKey: ['batches'] })
    if (place) queries.invalidateQueries({ queryKey: batchKey(place) })
  }
}
