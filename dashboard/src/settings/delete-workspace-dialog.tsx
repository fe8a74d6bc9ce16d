// The dialog that deletes a workspace after its name was typed.
import type { dashboard } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog, DialogActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'

interface DeleteWorkspaceDialogProps {
  workspace: dashboard.Workspace
  onClose(): void
}

export function DeleteWorkspaceDialog({ workspace, onClose }: DeleteWorkspaceDialogProps) {
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
