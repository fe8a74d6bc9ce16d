// Queries of repositories and their documents, kept fresh while documents are indexed.
import type { DocumentStatus, RepositoryStatus } from '@parley/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

// Progress is written once a second; polling more often would show nothing new.
const askAgainMs = 1_000

export interface RepositoryPlace {
  readonly workspaceId: string
  readonly repositoryId: string
}

const repositoryKey = ({ workspaceId, repositoryId }: RepositoryPlace, ...rest: unknown[]) => [
  'repository',
  workspaceId,
  repositoryId,
  ...rest,
]

const whileProcessing = (statuses: readonly RepositoryStatus[]): number | false =>
  statuses.includes('processing') && askAgainMs

const isUnderWay = (status: DocumentStatus): boolean => status === 'queued' || status === 'processing'

export const useRepositories = (workspaceId: string, page: number) =>
  useQuery({
    queryKey: ['repositories', workspaceId, page],
    queryFn: () => api.repositories(workspaceId, page),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => whileProcessing(state.data?.data.map(({ status }) => status) ?? []),
  })

export const useRepository = (place: RepositoryPlace) =>
  useQuery({
    queryKey: repositoryKey(place),
    queryFn: () => api.repository(place.workspaceId, place.repositoryId),
    staleTime: 0,
    refetchInterval: ({ state }) => whileProcessing(state.data ? [state.data.status] : []),
  })

/** `isLive`: documents are being indexed. */
export const useDocuments = (
  place: RepositoryPlace,
  page: number,
  status: DocumentStatus | undefined,
  isLive: boolean,
) =>
  useQuery({
    queryKey: repositoryKey(place, 'documents', status, page),
    queryFn: () => api.documents(place.workspaceId, place.repositoryId, page, status),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Asked again until every document in sight is settled: the repository may report the end before the list does.
    refetchInterval: ({ state }) =>
      (isLive || (state.data?.data ?? []).some(({ status }) => isUnderWay(status))) && askAgainMs,
  })

/** Returns a function for after a change, which reads again everything that shows repositories. */
export function useKnowledgeRefresh() {
  const queries = useQueryClient()
  return () => {
    queries.invalidateQueries({ queryKey: ['repositories'] })
    queries.invalidateQueries({ queryKey: ['repository'] })
  }
}
