// The vendors of speech and of language models: which of them work here, with whose credentials.
import type { dashboard, VendorCredentials } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { type Column, Table } from '../ui/lists/table.tsx'
import { Badge, type Tone } from '../ui/words/badge.tsx'
import { CredentialsDialog } from './credentials-dialog.tsx'

type Vendor = VendorCredentials
type Open = { dialog: 'set' | 'delete'; vendor: Vendor } | undefined

interface CredentialsPageProps {
  workspace: dashboard.Workspace
}

export function CredentialsPage({ workspace }: CredentialsPageProps) {
  const workspaceId = workspace.workspace_id
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const vendors = useQuery({
    queryKey: ['credentials', workspaceId],
    queryFn: () => api.credentials(workspaceId),
  })
  return (
    <>
      <PageHeader
        title="Vendors"
        lead="Agents speak, listen and think with the vendors that have a key here. Without one, the offline engines are used."
      />
      {vendors.isError && <RefusalNotice error={vendors.error} />}
      {vendors.isPending && <ListSkeleton />}
      {vendors.data && (
        <Table
          label="Vendors"
          items={vendors.data.vendors}
          columns={columns(workspaceId, setOpen)}
          keyOf={({ vendor }) => vendor}
        />
      )}
      {open?.dialog === 'set' && (
        <CredentialsDialog workspaceId={workspaceId} vendor={open.vendor} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <DeleteDialog workspaceId={workspaceId} vendor={open.vendor} onClose={close} />
      )}
    </>
  )
}

const useWords = { synthesizer: 'Voices', transcriber: 'Recognition', language_model: 'Language models' }

const columns = (workspaceId: string, setOpen: (open: Open) => void): Column<Vendor>[] => [
  {
    head: 'Vendor',
    cell: ({ label, uses }) => (
      <>
        <p className="font-medium">{label}</p>
        <p className="text-[0.8125rem] text-muted">{uses.map((use) => useWords[use]).join(', ')}</p>
      </>
    ),
  },
  { head: 'Key', cell: (vendor) => <KeyCell {...vendor} /> },
  { head: 'Last test', wide: true, cell: (vendor) => <AnswerCell {...vendor} /> },
  {
    head: 'Actions',
    actions: true,
    cell: (vendor) => (
      <div className="flex flex-wrap justify-end gap-1">
        {vendor.source !== 'none' && <CheckButton workspaceId={workspaceId} vendor={vendor} />}
        <Button
          kind="quiet"
          size="small"
          needs={voice.putCredentials}
          aria-label={`${vendor.source === 'workspace' ? 'Replace the' : 'Add'} key for ${vendor.label}`}
          onClick={() => setOpen({ dialog: 'set', vendor })}
        >
          {vendor.source === 'workspace' ? 'Replace' : 'Add key'}
        </Button>
        {vendor.source === 'workspace' && (
          <Button
            kind="quiet"
            size="small"
            needs={voice.deleteCredentials}
            aria-label={`Delete the key for ${vendor.label}`}
            onClick={() => setOpen({ dialog: 'delete', vendor })}
          >
            Delete
          </Button>
        )}
      </div>
    ),
  },
]

function KeyCell({ source, credentials, base_url, base_urls }: Vendor) {
  if (source === 'none') return <span className="text-muted">None</span>
  if (source === 'installation') return <span className="text-muted">Of this installation</span>
  return (
    <>
      {Object.entries(credentials ?? {}).map(([name, shown]) => (
        <p key={name} className="font-mono text-[0.8125rem] wrap-anywhere">
          {shown}
        </p>
      ))}
      {base_url && <p className="text-[0.8125rem] wrap-anywhere text-muted">at {base_url}</p>}
      {Object.entries(base_urls ?? {}).map(([service, address]) => (
        <p key={service} className="text-[0.8125rem] wrap-anywhere text-muted">
          {service.replace('_', ' ')} at {address}
        </p>
      ))}
    </>
  )
}

const verdicts: Record<'true' | 'false' | 'null', [Tone, string]> = {
  true: ['good', 'Valid'],
  false: ['bad', 'Refused'],
  null: ['wait', 'Not known'],
}

function AnswerCell({ last_check }: Vendor) {
  if (!last_check) return null
  const [tone, word] = verdicts[`${last_check.ok}`]
  return (
    <>
      <Badge tone={tone} dot>
        {word}
      </Badge>
      {last_check.ok !== true && (
        <p className="mt-1 max-w-xs text-[0.8125rem] wrap-anywhere text-muted">{last_check.message}</p>
      )}
    </>
  )
}

function CheckButton({ workspaceId, vendor }: { workspaceId: string; vendor: Vendor }) {
  const queries = useQueryClient()
  const toast = useToast()
  const check = useMutation({
    mutationFn: () => api.checkCredentials(workspaceId, vendor.vendor),
    onSuccess: ({ message }) => toast(`${vendor.label}: ${message}`),
    onError: ({ message }) => toast(message),
    onSettled: () => queries.invalidateQueries({ queryKey: ['credentials', workspaceId] }),
  })
  return (
    <Button
      kind="quiet"
      size="small"
      needs={voice.checkCredentials}
      busy={check.isPending}
      aria-label={`Test the key for ${vendor.label}`}
      onClick={() => check.mutate()}
    >
      Test
    </Button>
  )
}

function DeleteDialog({
  workspaceId,
  vendor,
  onClose,
}: {
  workspaceId: string
  vendor: Vendor
  onClose(): void
}) {
  const queries = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteCredentials(workspaceId, vendor.vendor),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['credentials', workspaceId] })
      toast(`The key for ${vendor.label} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete the key for ${vendor.label}?`}
      verb="Delete"
      action={remove}
      onClose={onClose}
    >
      Calls that begin from now on use another vendor of their agent, or the offline engines.
    </ConfirmDialog>
  )
}
