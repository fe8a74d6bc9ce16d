// Makes a link with which anybody can look at a call until it expires.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Copyable } from '../ui/controls/copyable.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { SelectField } from '../ui/forms/choice-fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { ExactTime } from '../ui/words/when.tsx'
import type { CallPlace } from './use-call.ts'

const periods = { 1: 'One hour', 24: 'One day', 168: 'One week', 720: '30 days' }

export function ShareDialog({ place, onClose }: { place: CallPlace; onClose(): void }) {
  const form = useForm({ hours: '24' })
  const share = useMutation({
    mutationFn: ({ hours }: { hours: string }) =>
      api.shareCall(place.workspaceId, place.sessionId, Number(hours)),
  })
  return (
    <Dialog title="Share this call" onClose={onClose}>
      {share.data ? (
        <div className="space-y-3">
          <Copyable text={share.data.url} label="link" long />
          <p className="text-[0.8125rem] text-muted">
            Works until <ExactTime at={share.data.expires_at} />, for everybody who has it, without signing
            in.
          </p>
        </div>
      ) : (
        <Form form={form} error={share.error} onSubmit={(values) => share.mutate(values)}>
          <p className="text-muted">
            Whoever has the link sees the recording, the transcript and the analysis. It cannot be withdrawn
            before it expires.
          </p>
          <SelectField path="hours" label="Works for" options={periods} />
          <FormActions verb="Make a link" busy={share.isPending} onClose={onClose} />
        </Form>
      )}
    </Dialog>
  )
}
