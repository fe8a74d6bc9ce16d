// A key is made, and shown this once.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useWorkspaceNames, useWorkspaces } from '../workspace.tsx'
import { Button } from './button.tsx'
import { Copyable } from './copyable.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { ChecksField, SelectField, TextField } from './fields.tsx'
import { Form, useForm } from './form.tsx'

const reaches = { bound: 'One workspace (bound)', unbound: 'Several workspaces (unbound)' }

export function NewKeyDialog({ onClose }: { onClose(): void }) {
  const queries = useQueryClient()
  const names = useWorkspaceNames()
  const { current } = useWorkspaces()
  const form = useForm({
    label: '',
    reach: 'bound' as keyof typeof reaches,
    workspace_id: current?.workspace_id ?? '',
    access: [] as string[],
  })
  const create = useMutation({
    mutationFn: ({ label, reach, workspace_id, access }: typeof form.values) =>
      api.createKey(reach === 'bound' ? { label, workspace_id } : { label, access }),
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
          <SelectField path="workspace_id" label="Bound to" options={names} />
        ) : (
          <ChecksField
            path="access"
            label="Workspaces"
            options={names}
            hint="Each request names one of them in the X-Workspace-Id header."
          />
        )}
        <DialogActions>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function KeyShown({ secret, bound, onClose }: { secret: string; bound: boolean; onClose(): void }) {
  const lines = [
    `curl ${location.origin}/agent/v1/agents`,
    `  -H 'X-Api-Key: ${secret}'`,
    ...(bound ? [] : ["  -H 'X-Workspace-Id: …'"]),
  ]
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <div className="space-y-4">
        <p className="text-muted">
          Copy it now and keep it somewhere safe. Only a hash of it is stored, so it is never shown again.
        </p>
        <Copyable text={secret} label="key" />
        <div>
          <p className="mb-1.5 text-[0.8125rem] font-medium">Try it</p>
          <Copyable text={lines.join(' \\\n')} label="command" />
        </div>
        <DialogActions>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
