// Queries of transcripts, and how their numbers are shown.
import type { TranscriptStatus } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

// Progress is written once a second; polling more often would show nothing new.
const askAgainMs = 1_000

/** For refetchInterval: polls while something is under way. */
export const whileUnderWay = (statuses: readonly TranscriptStatus[]): number | false =>
  statuses.some((status) => status === 'queued' || status === 'processing') && askAgainMs

export const useTranscript = (workspaceId: string, transcriptId: string) =>
  useQuery({
    queryKey: ['transcript', workspaceId, transcriptId],
    queryFn: () => api.transcript(workspaceId, transcriptId),
    refetchInterval: ({ state }) => whileUnderWay(state.data ? [state.data.status] : []),
  })

export function useTranscriptRefresh() {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: ['transcripts'] })
}

/** A time such as 1:02:03, or 2:03 below an hour. */
export function clockOf(seconds: number): string {
  const whole = Math.floor(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

const names = new Intl.DisplayNames('en', { type: 'language' })

export const languageOf = (code: string | null): string => (code === null ? '–' : (names.of(code) ?? code))
