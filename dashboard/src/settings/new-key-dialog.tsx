// The dialog that creates a key and shows it once.
import { mountPaths, voiceAddresses } from '@parley/contract/addresses'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useWorkspaceNames, useWorkspaces } from '../session/workspace.tsx'
import { Copyable } from '../ui/controls/copyable.tsx'
import { ShownOnce } from '../ui/controls/shown-once.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { ChecksField, SelectField } from '../ui/forms/choice-fields.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { roleHints, roleWords } from '../ui/words/role-words.ts'

const reaches = { bound: 'One workspace', unbound: 'Several workspaces' }
const mays = { all: 'Everything', ...roleWords }

export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient()
  const names = useWorkspaceNames()
  const { current } = useWorkspaces()
  const form = useForm({
    label: '',
    reach: 'bound' as keyof typeof reaches,
    workspace_id: current?.workspace_id ?? '',
    access: [] as string[],
    may: (current?.role === 'editor' ? 'editor' : 'all') as keyof typeof mays,
  })
  const { may } = form.values
  const create = useMutation({
    mutationFn: ({ label, reach, workspace_id, access, may }: typeof form.values) => {
      const role = may === 'all' ? null : may
      return api.createKey(reach === 'bound' ? { label, role, workspace_id } : { label, role, access })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  if (create.data)
    return <KeyShown secret={create.data.key} bound={create.data.workspace_id !== null} onClose={onClose} />
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form form={form} error={create.error} onSubmit={(values) => create.mutate(values)}>
        <TextField
          path="label"
          label="Label"
          placeholder="Billing service"
          hint="Who will use it."
          autoComplete="off"
        />
        <SelectField path="reach" label="Reach" options={reaches} />
        {form.values.reach === 'bound' ? (
          <SelectField
            path="workspace_id"
            label="Workspace"
            options={names}
            hint="The key works in this workspace only."
          />
        ) : (
          <ChecksField
            path="access"
            label="Workspaces"
            options={names}
            hint="Each request names one of them in the X-Workspace-Id header."
          />
        )}
        <SelectField
          path="may"
          label="May do"
          options={mays}
          hint={may === 'all' ? 'No less than an admin.' : roleHints[may]}
        />
        <FormActions verb="Create key" busy={create.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

function KeyShown({ secret, bound, onClose }: { secret: string; bound: boolean; onClose(): void }) {
  const lines = [
    `curl ${location.origin}${mountPaths.voice}${voiceAddresses.listAgents.path}`,
    `  -H 'X-Api-Key: ${secret}'`,
    ...(bound ? [] : ["  -H 'X-Workspace-Id: …'"]),
  ]
  return (
    <ShownOnce
      title="Your new key"
      what="key"
      secret={secret}
      why="Only a hash of it is stored, so it is never shown again."
      onClose={onClose}
    >
      <div>
        <p className="mb-1.5 text-[0.8125rem] font-medium">Try it</p>
        <Copyable text={lines.join(' \\\n')} label="command" />
      </div>
    </ShownOnce>
  )
}
