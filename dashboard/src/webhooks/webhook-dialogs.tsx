// The dialogs that register an endpoint and change one.
import type { BodyOf, updateWebhook, Webhook } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { everyAgentWords, useAgentNames } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { ChecksField, SelectField } from '../ui/forms/choice-fields.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { changesBetween } from '../ui/forms/tree.ts'
import { placeOf, useWebhookRefresh } from './webhook.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { eventWords } from './webhook-words.tsx'

type Draft = Pick<Webhook, 'url' | 'events' | 'agent_id' | 'description'>

const empty: Draft = { url: '', events: Object.keys(eventWords), agent_id: null, description: null }

export function NewWebhookDialog({ workspaceId, onClose }: { workspaceId: string; onClose(): void }) {
  const refresh = useWebhookRefresh()
  const form = useForm(empty)
  const create = useMutation({
    mutationFn: ({ description, ...draft }: Draft) =>
      api.createWebhook(workspaceId, { ...draft, ...(description && { description }) }),
    onSuccess: () => refresh(),
  })
  if (create.data) {
    const { webhook_id, secret } = create.data
    // The page of the endpoint has the button for the next step, sending a test.
    return (
      <WebhookSecret
        title="Webhook created"
        secret={secret}
        onClose={() => {
          onClose()
          go(`/webhooks/${webhook_id}`)
        }}
      />
    )
  }
  return (
    <Dialog title="New webhook" onClose={onClose}>
      <Form form={form} error={create.error} onSubmit={(draft) => create.mutate(draft)}>
        <WebhookFields workspaceId={workspaceId} />
        <FormActions verb="Create webhook" busy={create.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

interface EditWebhookDialogProps {
  workspaceId: string
  webhook: Webhook
  onClose(): void
}

export function EditWebhookDialog({ workspaceId, webhook, onClose }: EditWebhookDialogProps) {
  const refresh = useWebhookRefresh()
  const toast = useToast()
  const place = placeOf(workspaceId, webhook)
  const { url, events, agent_id, description } = webhook
  const before: Draft = { url, events, agent_id, description }
  const form = useForm(before)
  const save = useMutation({
    mutationFn: (draft: Draft) => {
      const { changes } = changesBetween(before, draft, true)
      return api.updateWebhook(workspaceId, place.webhookId, changes as BodyOf<typeof updateWebhook>)
    },
    onSuccess: () => {
      refresh(place)
      toast('Webhook changed')
      onClose()
    },
  })
  return (
    <Dialog title="Edit webhook" onClose={onClose}>
      <Form form={form} error={save.error} onSubmit={(draft) => save.mutate(draft)}>
        <WebhookFields
          workspaceId={workspaceId}
          agentHint="Narrowing it to one agent cancels what is queued for the others."
        />
        <FormActions verb="Save" busy={save.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function WebhookFields({ workspaceId, agentHint }: { workspaceId: string; agentHint?: string }) {
  const names = useAgentNames(workspaceId) ?? {}
  return (
    <>
      <TextField
        path="url"
        label="URL"
        type="url"
        placeholder="https://hooks.example.com/parley"
        hint="A public https address of yours. Events are sent to it with POST."
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        path="agent_id"
        label="Agent"
        options={names}
        none={everyAgentWords}
        blank={null}
        hint={agentHint}
      />
      <ChecksField path="events" label="Events" options={eventWords} />
      <TextField
        path="description"
        label="Description"
        blank={null}
        placeholder="Customer database"
        hint="Optional. What listens there."
        autoComplete="off"
      />
    </>
  )
}
