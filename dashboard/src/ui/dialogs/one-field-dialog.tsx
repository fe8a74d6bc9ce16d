// A dialog that asks for a single word: a name or a label.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../feedback/toasts.tsx'
import { TextField } from '../forms/fields.tsx'
import { Form, useForm } from '../forms/form.tsx'
import { Dialog, FormActions } from './dialog.tsx'

interface OneFieldDialogProps {
  title: string
  path: string
  label: string
  start: string
  verb: string
  save(text: string): Promise<unknown>
  /** The lists that show it. */
  refresh: 'keys' | 'workspaces'
  done: string
  onClose(): void
}

export function OneFieldDialog(props: OneFieldDialogProps) {
  const { title, path, label, start, verb, save, refresh, done, onClose } = props
  const queries = useQueryClient()
  const toast = useToast()
  const form = useForm({ [path]: start })
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: [refresh] })
      toast(done)
      onClose()
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form} error={saving.error} onSubmit={(values) => saving.mutate(values[path] ?? '')}>
        <TextField path={path} label={label} autoComplete="off" />
        <FormActions verb={verb} busy={saving.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}
