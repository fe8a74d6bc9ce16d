// The corrections of a transcript for its page: it saves them while they are typed, and takes in those of others.
import type { Corrections, NewCorrections, Transcript } from '@parley/contract'
import { transcriptAddresses } from '@parley/contract/addresses'
import { MutationObserver, onlineManager, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { useUser } from '../session/session.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { CorrectionsSaver } from './corrections-saver.ts'
import { type Edits, tidied } from './edits.ts'
import { keepEdits, keptEdits } from './kept-edits.ts'

// The interval at which the corrections of others are read.
const askAgainMs = 10_000

const keyOf = (workspaceId: string, transcriptId: string) => ['corrections', workspaceId, transcriptId]

export const useStoredCorrections = (workspaceId: string, transcriptId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, transcriptId),
    queryFn: () => api.transcriptCorrections(workspaceId, transcriptId),
    refetchInterval: askAgainMs,
  })

export function useCorrections(
  workspaceId: string,
  { transcript_id: transcriptId, segments }: Transcript,
  stored: Corrections,
) {
  const queries = useQueryClient()
  const { user_id: userId } = useUser()
  const whyNot = useWhyNot(transcriptAddresses.putTranscriptCorrections)
  const tidy = (edits: Edits) => tidied(edits, segments)
  const [saver] = useState(() => {
    const place = { userId, transcriptId }
    const told = (answer: Corrections) => {
      queries.setQueryData(keyOf(workspaceId, transcriptId), answer)
      return answer
    }
    return new CorrectionsSaver({
      stored,
      draft: whyNot === undefined ? keptEdits(place) : undefined,
      tidy,
      // Sent as a mutation, so that the end of the session is noticed, and the request goes on when the page is left.
      save: (sent) =>
        new MutationObserver(queries, {
          mutationFn: (body: NewCorrections) => api.putTranscriptCorrections(workspaceId, transcriptId, body),
          networkMode: 'always',
        })
          .mutate(sent)
          .then(told),
      load: () => api.transcriptCorrections(workspaceId, transcriptId).then(told),
      keep: (draft) => keepEdits(place, draft),
      isOnline: () => onlineManager.isOnline(),
    })
  })
  useEffect(() => {
    saver.open()
    const flush = () => saver.flush()
    const ignore = onlineManager.subscribe((isOnline) => isOnline && flush())
    addEventListener('pagehide', flush)
    return () => {
      ignore()
      removeEventListener('pagehide', flush)
      saver.close()
    }
  }, [saver])
  useEffect(() => saver.take(stored), [saver, stored])
  const saving = useSyncExternalStore(saver.subscribe, saver.snapshot)
  return { saver, saving, tidy, whyNot }
}
