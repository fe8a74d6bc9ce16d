// The workspaces that the user can see. Owners create them; their admins rename and delete them.
import type { dashboard } from '@parley/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { Dialog, DialogActions } from '../ui/dialogs/dialog.tsx'
import { OneFieldDialog } from '../ui/dialogs/one-field-dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { WhenCell } from '../ui/words/when.tsx'
import { WorkspaceDeletions } from './workspace-deletions.tsx'

type Workspace = dashboard.Workspace

export function WorkspacesPage() {
  const { page } = usePlace()
  const { owner } = useUser()
  const [open, setOpen] = useState<'new' | Workspace>()
  const [deleting, setDeleting] = useState<Workspace>()
  const close = () => setOpen(undefined)
  const workspaces = useQuery({
    queryKey: ['workspaces', page],
    queryFn: () => api.workspaces(page),
    placeholderData: keepPreviousData,
  })
  const create = owner && (
    <Button kind="primary" onClick={() => setOpen('new')}>
      <Icon name="plus" className="size-3.5" />
      New workspace
    </Button>
  )
  return (
    <>
      <PageHeader
        title="Workspaces"
        lead="Agents, calls and keys of one workspace cannot be seen from any other."
        action={create}
      />
      <Listing
        label="Workspaces"
        query={workspaces}
        columns={[...columns, actions(setOpen, setDeleting)]}
        keyOf={({ workspace_id }) => workspace_id}
        at="/workspaces"
        empty={
          <EmptyState icon="workspaces" title="No workspaces" action={create}>
            {owner ? 'Make one to keep agents in.' : 'Ask an owner to give you access to one.'}
          </EmptyState>
        }
      />
      <WorkspaceDeletions />
      {deleting && <DeleteWorkspaceDialog workspace={deleting} onClose={() => setDeleting(undefined)} />}
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
    head: 'Your role',
    wide: true,
    cell: ({ role }) => <span className="text-[0.8125rem] text-muted">{roleWords[role]}</span>,
  },
  {
    head: 'Created',
    wide: true,
    cell: ({ created_at }) => <WhenCell at={created_at} />,
  },
]

const actions = (
  rename: (workspace: Workspace) => void,
  remove: (workspace: Workspace) => void,
): Column<Workspace> => ({
  head: 'Actions',
  actions: true,
  cell: (workspace) => {
    const why = workspace.role === 'admin' ? undefined : 'An admin of the workspace may do this.'
    return (
      <div className="-mr-2 flex flex-col items-end justify-end gap-0.5 sm:flex-row">
        <Button
          kind="quiet"
          size="small"
          aria-label={`Rename ${workspace.name}`}
          disabled={why !== undefined}
          title={why}
          onClick={() => rename(workspace)}
        >
          Rename
        </Button>
        <Button
          kind="quiet"
          size="small"
          aria-label={`Delete ${workspace.name}`}
          disabled={why !== undefined}
          title={why}
          onClick={() => remove(workspace)}
        >
          Delete
        </Button>
      </div>
    )
  },
})

interface DeleteWorkspaceDialogProps {
  workspace: dashboard.Workspace
  onClose(): void
}

function DeleteWorkspaceDialog({ workspace, onClose }: DeleteWorkspaceDialogProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const form = useForm({ name: '' })
  const remove = useMutation({
    mutationFn: (body: { name: string }) => api.deleteWorkspace(workspace.workspace_id, body),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['workspaces'] })
      queries.invalidateQueries({ queryKey: ['workspace-deletions'] })
      toast(`${workspace.name} is being deleted`)
      onClose()
    },
  })
  return (
    <Dialog title={`Delete ${workspace.name}?`} onClose={onClose}>
      <Form form={form} error={remove.error} onSubmit={(values) => remove.mutate(values)}>
        <p className="text-muted">
          Calls under way are ended. Agents, numbers, calls with their recordings, transcripts, knowledge,
          keys and usage are deleted for good, in the archive too, and nobody can bring them back.
        </p>
        <TextField path="name" label={`Type “${workspace.name}” to confirm`} autoComplete="off" />
        <DialogActions>
          <Button
            type="submit"
            kind="danger"
            busy={remove.isPending}
            disabled={form.values.name !== workspace.name}
          >
            Delete for good
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
