// A button that makes a new batch of the recipients who were not reached.
import type { BatchDetail, BodyOf, createBatch, Recipient, RecipientStatus } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { api, everyRecipient } from '../api.ts'
import { go } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { type BatchPlace, useBatchRefresh } from './batch.ts'

const unreached = ['no-answer', 'busy', 'failed', 'voicemail'] as const satisfies RecipientStatus[]

export const unreachedOf = ({ counts }: BatchDetail): number =>
  unreached.reduce((sum, status) => sum + counts[status], 0)

export function RedialButton({ place, batch }: { place: BatchPlace; batch: BatchDetail }) {
  const { workspaceId, batchId } = place
  const refresh = useBatchRefresh()
  const toast = useToast()
  const redial = useMutation({
    mutationFn: async () => {
      const recipients: Recipient[] = []
      for (const status of unreached)
        if (batch.counts[status] > 0) recipients.push(...(await everyRecipient(workspaceId, batchId, status)))
      return api.redialBatch(workspaceId, bodyOf(batch, recipients))
    },
    onSuccess: ({ batch_id }) => {
      refresh()
      toast('A new batch of those who were not reached. Start it when you like.')
      go(`/batches/${batch_id}`)
    },
    onError: (error) => toast(error.message),
  })
  return (
    <Button needs={voice.createBatch} busy={redial.isPending} onClick={() => redial.mutate()}>
      Call {unreachedOf(batch).toLocaleString('en')} unreached again
    </Button>
  )
}

function bodyOf(batch: BatchDetail, recipients: readonly Recipient[]): BodyOf<typeof createBatch> {
  const { name, agent_id, from_phone_number, max_concurrency, calling_window, retry_config, metadata } = batch
  return {
    name: `${name}, again`,
    agent_id,
    metadata,
    ...(from_phone_number && { from_phone_number }),
    ...(max_concurrency && { max_concurrency }),
    ...(calling_window && { calling_window }),
    ...(retry_config && { retry_config }),
    recipients: recipients
      .toSorted((one, other) => one.row - other.row)
      .map((one) => ({
        to_phone_number: one.to_phone_number,
        recipient_id: one.recipient_id,
        variables: one.variables,
        metadata: one.metadata,
        ...(one.name !== null && { name: one.name }),
        ...(one.timezone !== null && { timezone: one.timezone }),
      })),
  } as BodyOf<typeof createBatch>
}
