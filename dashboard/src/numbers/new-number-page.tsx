// Stores a new telephone number with its trunk.
import type { BodyOf, createPhoneNumber, dashboard } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { emptyNumber, newNumber } from './number-draft.ts'
import { NumberFields } from './number-fields.tsx'

export function NewNumberPage({ workspace }: { workspace: dashboard.Workspace }) {
  const workspaceId = workspace.workspace_id
  const queries = useQueryClient()
  const toast = useToast()
  const form = useForm(emptyNumber)
  const create = useMutation({
    mutationFn: (draft: Tree) =>
      api.createPhoneNumber(workspaceId, newNumber(draft) as BodyOf<typeof createPhoneNumber>),
    onSuccess: ({ phone_number_id, phone_number }) => {
      queries.invalidateQueries({ queryKey: ['numbers'] })
      toast(`${phone_number} stored`)
      // Its page has the next step, the check.
      go(`/numbers/${phone_number_id}`, { replace: true })
    },
  })
  return (
    <>
      <PageHeader title="New number" back={{ to: '/numbers', label: 'Numbers' }} />
      <Form
        form={form}
        error={create.error}
        needs={voice.createPhoneNumber}
        onSubmit={(draft) => create.mutate(draft)}
        className="space-y-0"
      >
        <NumberFields workspaceId={workspaceId} number={undefined} provider={form.values.provider} />
        <div className="flex justify-end border-t border-line pt-5">
          <Button type="submit" kind="primary" needs={voice.createPhoneNumber} busy={create.isPending}>
            Store number
          </Button>
        </div>
      </Form>
    </>
  )
}
