// The API keys: who may call the Voice AI interface, and for which workspaces.
import type { dashboard } from '@parley/contract'
import { dashboardAddresses } from '@parley/contract/addresses'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { usePlace } from '../router.tsx'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { OneFieldDialog } from '../ui/dialogs/one-field-dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Listing } from '../ui/lists/listing.tsx'
import type { Column } from '../ui/lists/table.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { roleWords } from '../ui/words/role-words.ts'
import { WhenCell } from '../ui/words/when.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

type Key = dashboard.ApiKey
type Open = { dialog: 'new' } | { dialog: 'relabel' | 'revoke'; key: Key } | undefined

export function KeysPage() {
  const { page } = usePlace()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const keys = useQuery({
    queryKey: ['keys', page],
    queryFn: () => api.keys(page),
    placeholderData: keepPreviousData,
  })
  const create = (
    <Button kind="primary" needs={dashboardAddresses.createKey} onClick={() => setOpen({ dialog: 'new' })}>
      <Icon name="plus" className="size-3.5" />
      New key
    </Button>
  )
  return (
    <>
      <PageHeader
        title="API keys"
        lead="Programs send a key in the X-Api-Key header. A key is shown once, when it is created."
        action={create}
      />
      <Listing
        label="API keys"
        query={keys}
        columns={columns(setOpen)}
        keyOf={({ api_key_id }) => api_key_id}
        at="/keys"
        empty={
          <EmptyState icon="keys" title="No API keys yet" action={create}>
            Create a key to use your agents from your own programs.
          </EmptyState>
        }
      />
      {open?.dialog === 'new' && <NewKeyDialog onClose={close} />}
      {open?.dialog === 'relabel' && <RelabelKeyDialog apiKey={open.key} onClose={close} />}
      {open?.dialog === 'revoke' && <RevokeKeyDialog apiKey={open.key} onClose={close} />}
    </>
  )
}

const columns = (setOpen: (open: Open) => void): Column<Key>[] => [
  {
    head: 'Key',
    cell: (key) => (
      <div className="min-w-0">
        <p className={`font-medium wrap-anywhere ${key.active ? '' : 'text-muted'}`}>{key.label}</p>
        <p className="font-mono text-xs text-muted">{key.prefix}…</p>
        <div className="mt-1 space-y-1 md:hidden">
          <Reach of={key} />
          {!key.active && <Badge tone="off">Revoked</Badge>}
        </div>
      </div>
    ),
  },
  { head: 'Workspaces', wide: true, cell: (key) => <Reach of={key} /> },
  {
    head: 'May',
    wide: true,
    cell: ({ role }) => (
      <span className="text-[0.8125rem] text-muted">{role ? roleWords[role] : 'Everything'}</span>
    ),
  },
  {
    head: 'State',
    wide: true,
    cell: ({ active }) => (
      <Badge tone={active ? 'good' : 'off'} dot>
        {active ? 'Active' : 'Revoked'}
      </Badge>
    ),
  },
  { head: 'Created', wide: true, cell: ({ created_at }) => <WhenCell at={created_at} /> },
  { head: 'Last used', wide: true, cell: ({ last_used_at }) => <WhenCell at={last_used_at} /> },
  {
    head: 'Actions',
    actions: true,
    cell: (key) => (
      <div className="-mr-2 flex flex-col items-end justify-end gap-0.5 sm:flex-row">
        <Button
          kind="quiet"
          size="small"
          needs={dashboardAddresses.updateKey}
          aria-label={`Relabel ${key.label}`}
          onClick={() => setOpen({ dialog: 'relabel', key })}
        >
          Relabel
        </Button>
        {key.active ? (
          <Button
            kind="quiet"
            size="small"
            needs={dashboardAddresses.updateKey}
            aria-label={`Revoke ${key.label}`}
            onClick={() => setOpen({ dialog: 'revoke', key })}
          >
            Revoke
          </Button>
        ) : (
          <ReactivateKeyButton apiKey={key} />
        )}
      </div>
    ),
  },
]

function Reach({ of: { workspace_id, access } }: { of: Key }) {
  return (
    <div className="flex flex-wrap gap-x-1.5 text-[0.8125rem] md:block">
      <WorkspaceNames ids={workspace_id ? [workspace_id] : access} />
      <span className="text-muted md:block md:text-xs">
        {workspace_id ? 'This workspace only' : 'Named in each request'}
      </span>
    </div>
  )
}

function RelabelKeyDialog({ apiKey, onClose }: { apiKey: dashboard.ApiKey; onClose(): void }) {
  return (
    <OneFieldDialog
      title="Relabel key"
      path="label"
      label="Label"
      start={apiKey.label}
      verb="Save"
      save={(label) => api.updateKey(apiKey.api_key_id, { label })}
      refresh="keys"
      done="Key relabelled"
      onClose={onClose}
    />
  )
}

/** Revokes a key, or reactivates it. */
function useSwitch({ api_key_id, label }: dashboard.ApiKey, onDone?: () => void) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: (active: boolean) => api.updateKey(api_key_id, { active }),
    onSuccess: ({ active }) => {
      queries.invalidateQueries({ queryKey: ['keys'] })
      toast(active ? `${label} works again` : `${label} revoked`)
      onDone?.()
    },
  })
}

function RevokeKeyDialog({ apiKey, onClose }: { apiKey: dashboard.ApiKey; onClose(): void }) {
  const turn = useSwitch(apiKey, onClose)
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.label}?`}
      verb="Revoke key"
      action={{ isPending: turn.isPending, error: turn.error, mutate: () => turn.mutate(false) }}
      onClose={onClose}
    >
      Every request with this key is refused from now on. You can reactivate it later.
    </ConfirmDialog>
  )
}

function ReactivateKeyButton({ apiKey }: { apiKey: dashboard.ApiKey }) {
  const turn = useSwitch(apiKey)
  return (
    <Button
      kind="quiet"
      size="small"
      needs={dashboardAddresses.updateKey}
      aria-label={`Reactivate ${apiKey.label}`}
      busy={turn.isPending}
      onClick={() => turn.mutate(true)}
    >
      Reactivate
    </Button>
  )
}

// More names than this would push everything else off the row.
const namesShown = 2

/** A few workspaces by name. */
function WorkspaceNames({ ids }: { ids: readonly string[] }) {
  const names = useWorkspaceNames()
  const all = ids.map((id) => names[id] ?? id.slice(0, 8))
  const hidden = all.length - namesShown
  return (
    <span className="wrap-anywhere" title={all.join(', ')}>
      {all.slice(0, namesShown).join(', ') || 'None'}
      {hidden > 0 && ` and ${hidden} more`}
    </span>
  )
}
