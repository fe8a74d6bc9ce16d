// Asks a repository as an agent would, and shows the passages with their scores.
import type { KnowledgePassage } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import type { RepositoryPlace } from './knowledge.ts'

// The server's own default: agents take no notice of passages below this score.
const leastScore = 0.3

export function TrySearch({ place: { workspaceId, repositoryId } }: { place: RepositoryPlace }) {
  const form = useForm<{ query: string }>({ query: '' })
  const search = useMutation({
    mutationFn: ({ query }: { query: string }) => api.searchRepository(workspaceId, repositoryId, { query }),
  })
  const passages = search.data
  return (
    <section
      aria-label="Try a search"
      className="rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h2 className="mb-3 font-semibold">Try a search</h2>
      <Form form={form} error={search.error} onSubmit={(values) => search.mutate(values)}>
        <TextField
          path="query"
          label="Question"
          placeholder="When do you open on Saturday?"
          hint="As a caller would ask it."
          autoComplete="off"
        />
        <Button type="submit" busy={search.isPending}>
          Search
        </Button>
      </Form>
      {passages && !search.isPending && <Passages passages={passages} />}
    </section>
  )
}

function Passages({ passages }: { passages: readonly KnowledgePassage[] }) {
  const used = passages.filter(({ score }) => score >= leastScore).length
  return (
    <div className="mt-4 border-t border-line pt-4">
      <p role="status" className="text-[0.8125rem] text-muted">
        {used === 0
          ? 'Nothing fits well enough: an agent would say that it does not know.'
          : `An agent would get ${used === 1 ? 'one passage' : `${used} passages`}.`}
      </p>
      <ol aria-label="Passages" className="mt-3 space-y-4">
        {passages.map(({ chunk_id, title, heading, text, score }) => (
          <li key={chunk_id} className={score < leastScore ? 'text-muted' : ''}>
            <div className="flex items-baseline justify-between gap-4 text-[0.8125rem]">
              <p className="min-w-0 font-medium wrap-anywhere">
                {title}
                {heading && <span className="font-normal text-muted"> › {heading}</span>}
              </p>
              <Score score={score} />
            </div>
            <p className="mt-1 leading-relaxed wrap-anywhere whitespace-pre-line">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  )
}

function Score({ score }: { score: number }) {
  return (
    <span className="flex shrink-0 items-center gap-2 tabular-nums">
      <span aria-hidden="true" className="h-1.5 w-14 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${score >= leastScore ? 'bg-accent' : 'bg-muted'}`}
          style={{ width: `${Math.min(1, score) * 100}%` }}
        />
      </span>
      {score.toFixed(2)}
      {score < leastScore && <span className="text-muted">too low</span>}
    </span>
  )
}
