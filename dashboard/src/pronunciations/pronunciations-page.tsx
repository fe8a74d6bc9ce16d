// The pronunciation dictionary of a workspace: how names and words are said.
import type { dashboard, StoredPronunciation } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { AgentScope, useAgentNames } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { go, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { FilterSelect } from '../ui/lists/filter-select.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { DeletePronunciationDialog, PronunciationDialog } from './pronunciation-dialogs.tsx'

type Entry = StoredPronunciation
type Open = { dialog: 'new' } | { dialog: 'change' | 'delete'; entry: Entry } | undefined

export function PronunciationsPage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const { page, query } = usePlace()
  const agentId = query.get('agent') ?? undefined
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const entries = useQuery({
    queryKey: ['pronunciations', workspaceId, page, agentId],
    queryFn: () => api.pronunciations(workspaceId, page, agentId),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const create = (
    <Button kind="primary" needs={voice.createPronunciation} onClick={() => setOpen({ dialog: 'new' })}>
      <Icon name="plus" className="size-3.5" />
      New word
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Pronunciation"
        lead="How your agents say names and words that a voice cannot know. From the next call on, with every voice."
        action={create}
      />
      <AgentFilter workspaceId={workspaceId} agentId={agentId} />
      <Listing
        label="Pronunciations"
        query={entries}
        columns={columns(workspaceId, setOpen)}
        keyOf={({ pronunciation_id }) => pronunciation_id}
        at={agentId ? `/pronunciations?agent=${agentId}` : '/pronunciations'}
        empty={
          <EmptyState icon="speaker" title="No words yet" action={create}>
            {agentId
              ? 'This agent says every word as the workspace does.'
              : 'Figures, dates and amounts are read well by themselves. Add the names of people, places and products that are not.'}
          </EmptyState>
        }
      />
      {open?.dialog === 'new' && (
        <PronunciationDialog workspaceId={workspaceId} entry={undefined} onClose={close} />
      )}
      {open?.dialog === 'change' && (
        <PronunciationDialog workspaceId={workspaceId} entry={open.entry} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <DeletePronunciationDialog workspaceId={workspaceId} entry={open.entry} onClose={close} />
      )}
    </>
  )
}

function AgentFilter({ workspaceId, agentId }: { workspaceId: string; agentId: string | undefined }) {
  const names = useAgentNames(workspaceId)
  if (!names || Object.keys(names).length === 0) return null
  return (
    <div className="mb-4 flex">
      <FilterSelect
        label="Agent"
        any="All entries"
        options={names}
        value={agentId}
        onChoose={(id) => go(id ? `/pronunciations?agent=${id}` : '/pronunciations')}
      />
    </div>
  )
}

const columns = (workspaceId: string, setOpen: (open: Open) => void): Column<Entry>[] => [
  {
    head: 'Written',
    cell: (entry) => (
      <>
        <p className="font-medium wrap-anywhere">{entry.written}</p>
        <p className="text-[0.8125rem] text-muted md:hidden">
          <SaidAs {...entry} />
        </p>
      </>
    ),
  },
  { head: 'Said', wide: true, cell: (entry) => <SaidAs {...entry} /> },
  {
    head: 'In calls of',
    wide: true,
    cell: ({ agent_id }) => <AgentScope workspaceId={workspaceId} agentId={agent_id} />,
  },
  {
    head: 'Language',
    wide: true,
    cell: ({ language }) => language ?? <span className="text-muted">Every</span>,
  },
  {
    head: 'Actions',
    actions: true,
    cell: (entry) => (
      <div className="-mr-2 flex justify-end gap-0.5">
        <Button
          kind="quiet"
          size="small"
          needs={voice.updatePronunciation}
          aria-label={`Change ${entry.written}`}
          onClick={() => setOpen({ dialog: 'change', entry })}
        >
          Change
        </Button>
        <Button
          kind="quiet"
          size="small"
          needs={voice.deletePronunciation}
          aria-label={`Delete ${entry.written}`}
          onClick={() => setOpen({ dialog: 'delete', entry })}
        >
          Delete
        </Button>
      </div>
    ),
  },
]

function SaidAs({ say_as, ipa }: Entry) {
  return (
    <>
      {say_as && <span className="wrap-anywhere">{say_as}</span>}
      {say_as && ipa && ' '}
      {ipa && <span className="font-mono text-[0.8125rem] wrap-anywhere text-muted">/{ipa}/</span>}
    </>
  )
}
