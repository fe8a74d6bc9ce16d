// The workspaces that the user can see; administrators create and rename them.
import type { dashboard } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icons.tsx'
import { Listing } from '../ui/listing.tsx'
import { OneFieldDialog } from '../ui/one-field-dialog.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Column } from '../ui/table.tsx'
import { WhenCell } from '../ui/when.tsx'

type Workspace = dashboard.Workspace

export function WorkspacesPage() {
  const { page } = usePlace()
  const isAdmin = useUser().role === 'admin'
  const [open, setOpen] = useState<'new' | Workspace>()
  const close = () => setOpen(undefined)
  const workspaces = useQuery({
    queryKey: ['workspaces', page],
    queryFn: () => api.workspaces(page),
    placeholderData: keepPreviousData,
  })
  const create = isAdmin && (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Icon name="plus" className="size-3.5" />
      New workspace
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Workspaces"
        lead="Agents, calls and keys of one workspace are invisible to every other."
        action={create}
      />
      <Listing
        label="Workspaces"
        query={workspaces}
        columns={isAdmin ? [...columns, renaming(setOpen)] : columns}
        keyOf={({ workspace_id }) => workspace_id}
        at="/workspaces"
        empty={
          <EmptyState icon="workspaces" title="No workspaces" action={create}>
            {isAdmin ? 'Make one to keep agents in.' : 'Ask an administrator to give you access to one.'}
          </EmptyState>
        }
      />
      {open && (
        <OneFieldDialog
          title={open === 'new' ? 'New workspace' : 'Rename workspace'}
          path="name"
          label="Name"
          start={open === 'new' ? '' : open.name}
          verb={open === 'new' ? 'Create workspace' : 'Save'}
          save={(name) =>
            open === 'new' ? api.createWorkspace({ name }) : api.updateWorkspace(open.workspace_id, { name })
          }
          refresh="workspaces"
          done={open === 'new' ? 'Workspace created' : 'Workspace renamed'}
          onClose={close}
        />
      )}
    </>
  )
}

const columns: Column<Workspace>[] = [
  {
    head: 'Name',
    cell: ({ name, workspace_id }) => (
      <>
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="font-mono text-xs wrap-anywhere text-muted">{workspace_id}</p>
      </>
    ),
  },
  {
    head: 'Created',
    wide: true,
    cell: ({ created_at }) => <WhenCell at={created_at} />,
  },
]

const renaming = (open: (workspace: Workspace) => void): Column<Workspace> => ({
  head: 'Actions',
  actions: true,
  cell: (workspace) => (
    <Button
      kind="quiet"
      size="small"
      className="-mr-2"
      aria-label={`Rename ${workspace.name}`}
      onClick={() => open(workspace)}
    >
      Rename
    </Button>
  ),
})
