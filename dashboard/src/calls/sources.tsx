// The passages of the knowledge base that the agent had for its words.
import type { CallPassage, TranscriptLine } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Link } from '../router.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { type CallPlace, callKey } from './use-call.ts'

type Source = NonNullable<TranscriptLine['sources']>[number]

interface SourcesProps {
  sources: readonly Source[]
  /** Undefined: the words of the passages are not shown. */
  place: CallPlace | undefined
}

export function Sources({ sources, place }: SourcesProps) {
  const [isOpen, setOpen] = useState(false)
  const passages = useQuery({
    queryKey: callKey(place ?? { workspaceId: '', sessionId: '' }, 'passages'),
    queryFn: async () => (place ? (await api.callPassages(place.workspaceId, place.sessionId)).passages : []),
    enabled: isOpen && place !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (sources.length === 0)
    return <p className="mt-1 text-xs text-muted">Nothing in the knowledge base answered this.</p>
  return (
    <details
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="mt-1 text-xs text-muted"
    >
      <summary className="cursor-pointer rounded">
        From {sources.length === 1 ? 'one passage' : `${sources.length} passages`} of the knowledge base
      </summary>
      {passages.isError && <RefusalNotice error={passages.error} />}
      <ul className="mt-2 space-y-3 border-l-2 border-line pl-3">
        {sources.map((source) => (
          <li key={source.chunk_id}>
            <Passage
              source={source}
              passage={passages.data?.find(({ chunk_id }) => chunk_id === source.chunk_id)}
              isGone={passages.isSuccess}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

interface PassageProps {
  source: Source
  passage: CallPassage | undefined
  /** The text of the passage. If there is none, the passage does not exist any more. */
  isGone: boolean
}

function Passage({ source: { title, score }, passage, isGone }: PassageProps) {
  return (
    <>
      <p className="flex justify-between gap-3">
        <span className="min-w-0 font-medium wrap-anywhere">
          {passage ? (
            <Link
              to={`/knowledge/${passage.repository_id}`}
              className="text-ink underline decoration-edge underline-offset-3"
            >
              {title}
            </Link>
          ) : (
            title
          )}
          {passage?.heading && <span className="font-normal"> › {passage.heading}</span>}
        </span>
        <span className="shrink-0 tabular-nums">{score.toFixed(2)}</span>
      </p>
      {passage && <p className="mt-0.5 leading-relaxed wrap-anywhere whitespace-pre-line">{passage.text}</p>}
      {!passage && isGone && <p className="mt-0.5">Deleted or indexed again since.</p>}
    </>
  )
}
