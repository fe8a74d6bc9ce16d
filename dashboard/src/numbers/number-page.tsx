// One telephone number: its agents, its trunk, whether the trunk answers, and its calls.
import type { BodyOf, dashboard, NumberCheck, StoredPhoneNumber, updatePhoneNumber } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { go, useLeaveGuard } from '../router.tsx'
import { Button, ButtonLink } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { RecordShell } from '../ui/feedback/record-shell.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { SaveBar } from '../ui/forms/save-bar.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Badge } from '../ui/words/badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import { draftOf, numberChanges } from './number-draft.ts'
import { NumberFields } from './number-fields.tsx'

interface NumberPageProps {
  workspace: dashboard.Workspace
  numberId: string
}

export function NumberPage({ workspace, numberId }: NumberPageProps) {
  const workspaceId = workspace.workspace_id
  const number = useQuery({
    queryKey: ['number', workspaceId, numberId],
    queryFn: () => api.phoneNumber(workspaceId, numberId),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <RecordShell
      query={number}
      what="number"
      list="numbers"
      workspace={workspace}
      whyGone="It may have been removed."
    >
      {(number) => <LoadedNumber key={number.updated_at} workspaceId={workspaceId} number={number} />}
    </RecordShell>
  )
}

interface LoadedNumberProps {
  workspaceId: string
  number: StoredPhoneNumber
}

function LoadedNumber({ workspaceId, number }: LoadedNumberProps) {
  const queries = useQueryClient()
  const toast = useToast()
  const [removing, setRemoving] = useState(false)
  const before = draftOf(number)
  const form = useForm(before)
  const changes = numberChanges(before, form.values)
  const changed = Object.keys(changes).length > 0
  const save = useMutation({
    mutationFn: (body: Tree) =>
      api.updatePhoneNumber(workspaceId, number.phone_number_id, body as BodyOf<typeof updatePhoneNumber>),
    onSuccess: (saved) => {
      queries.invalidateQueries({ queryKey: ['numbers'] })
      queries.setQueryData(['number', workspaceId, number.phone_number_id], saved)
      toast('Changes saved')
    },
  })
  useLeaveGuard(changed)
  return (
    <>
      <PageHeader
        title={number.phone_number}
        lead={number.label}
        back={{ to: '/numbers', label: 'Numbers' }}
        badge={
          <>
            <Badge tone={number.status === 'active' ? 'good' : 'off'} dot>
              {number.status === 'active' ? 'Active' : 'Inactive'}
            </Badge>
            {number.provider === 'sandbox' && <SandboxBadge />}
          </>
        }
        action={
          <>
            <ButtonLink kind="plain" to={`/calls?phone_number_id=${number.phone_number_id}`}>
              Calls
            </ButtonLink>
            <Button kind="warning" needs={voice.deletePhoneNumber} onClick={() => setRemoving(true)}>
              Remove
            </Button>
          </>
        }
      />
      {number.provider === 'sip' && <TrunkCheck workspaceId={workspaceId} number={number} />}
      <Form
        form={form}
        error={save.error}
        needs={voice.updatePhoneNumber}
        onSubmit={() => save.mutate(changes)}
        className="space-y-0"
      >
        <NumberFields workspaceId={workspaceId} number={number} provider={number.provider} />
        <SaveBar changed={changed} busy={save.isPending} needs={voice.updatePhoneNumber} />
      </Form>
      {removing && (
        <RemoveDialog workspaceId={workspaceId} number={number} onClose={() => setRemoving(false)} />
      )}
    </>
  )
}

function TrunkCheck({ workspaceId, number }: LoadedNumberProps) {
  const check = useMutation({ mutationFn: () => api.checkPhoneNumber(workspaceId, number.phone_number_id) })
  return (
    <div className="mb-7 min-w-0 space-y-3">
      <Button needs={voice.checkPhoneNumber} busy={check.isPending} onClick={() => check.mutate()}>
        {check.isPending ? 'Asking the trunk…' : 'Check the trunk'}
      </Button>
      {check.error && <RefusalNotice error={check.error} />}
      {check.data && !check.isPending && <CheckOutcome check={check.data} />}
    </div>
  )
}

function CheckOutcome({ check: { ok, message, registered, options_ms } }: { check: NumberCheck }) {
  return (
    <div
      role="status"
      className={`flex max-w-xl gap-2.5 rounded-lg px-3.5 py-3 ${ok ? 'bg-good-soft text-good' : 'bg-bad-soft text-bad'}`}
    >
      <Icon name={ok ? 'check' : 'alert'} className="mt-0.5 size-4" />
      <div className="min-w-0">
        <p className="wrap-anywhere">{message}</p>
        <p className="mt-1 text-[0.8125rem]">
          {registered !== null && (registered ? 'Registered. ' : 'Not registered. ')}
          {options_ms === null ? 'No answer to a question.' : `Answered in ${Math.round(options_ms)} ms.`}
        </p>
      </div>
    </div>
  )
}

function RemoveDialog({ workspaceId, number, onClose }: LoadedNumberProps & { onClose(): void }) {
  const queries = useQueryClient()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deletePhoneNumber(workspaceId, number.phone_number_id),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: ['numbers'] })
      toast(`${number.phone_number} removed`)
      go('/numbers', { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title={`Remove ${number.phone_number}?`}
      verb="Remove number"
      action={remove}
      onClose={onClose}
    >
      Calls to it are no longer answered, and none go out from it. The records of its calls stay.
    </ConfirmDialog>
  )
}
