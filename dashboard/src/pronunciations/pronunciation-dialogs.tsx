// Adds a word to the pronunciation dictionary, changes it, and deletes it.
import type { StoredPronunciation } from '@parley/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { everyAgentWords, useAgentNames } from '../agents/agents.tsx'
import { api } from '../api.ts'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { SelectField } from '../ui/forms/choice-fields.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'

interface EntryDialogProps {
  workspaceId: string
  /** Undefined: a new one. */
  entry: StoredPronunciation | undefined
  onClose(): void
}

export function PronunciationDialog({ workspaceId, entry, onClose }: EntryDialogProps) {
  const names = useAgentNames(workspaceId) ?? {}
  const form = useForm({
    written: entry?.written ?? '',
    say_as: entry?.say_as ?? null,
    ipa: entry?.ipa ?? null,
    language: entry?.language ?? null,
    agent_id: entry?.agent_id ?? null,
  })
  const done = useDone(workspaceId, onClose)
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      entry
        ? api.updatePronunciation(workspaceId, entry.pronunciation_id, values)
        : api.createPronunciation(workspaceId, values),
    onSuccess: ({ written }) => done(`${written} is said so from the next call on`),
  })
  return (
    <Dialog title={entry ? `How ${entry.written} is said` : 'New word'} onClose={onClose}>
      <Form form={form} error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField
          path="written"
          label="Written"
          placeholder="Siobhan"
          autoComplete="off"
          hint="As it stands in the text, whole words. Capitals do not matter."
        />
        <TextField
          path="say_as"
          label="Say as"
          placeholder="shivawn"
          blank={null}
          autoComplete="off"
          spellCheck={false}
          hint="Spelled as it sounds in the language of the call. Every voice takes it."
        />
        <TextField
          path="ipa"
          label="Sounds (IPA)"
          placeholder="ʃɪˈvɔːn"
          blank={null}
          autoComplete="off"
          spellCheck={false}
          hint="Instead of or beside the spelling; used where the voice takes sounds."
        />
        <SelectField
          path="agent_id"
          label="In calls of"
          options={names}
          none={everyAgentWords}
          blank={null}
          hint="An agent's own entry wins over that of the workspace."
        />
        <TextField
          path="language"
          label="Only in the language"
          placeholder="es"
          blank={null}
          autoComplete="off"
          spellCheck={false}
          hint="A code such as es or es-MX. Empty: in all."
        />
        <FormActions verb={entry ? 'Save' : 'Add word'} busy={save.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

interface DeleteDialogProps {
  workspaceId: string
  entry: StoredPronunciation
  onClose(): void
}

export function DeletePronunciationDialog({ workspaceId, entry, onClose }: DeleteDialogProps) {
  const done = useDone(workspaceId, onClose)
  const remove = useMutation({
    mutationFn: () => api.deletePronunciation(workspaceId, entry.pronunciation_id),
    onSuccess: () => done(`${entry.written} deleted`),
  })
  return (
    <ConfirmDialog title={`Delete ${entry.written}?`} verb="Delete word" action={remove} onClose={onClose}>
      From the next call on, the voice says it in its own way.
    </ConfirmDialog>
  )
}

/** Returns a function for after a change: it reads the list again, shows a toast and closes the dialog. */
function useDone(workspaceId: string, onClose: () => void): (words: string) => void {
  const queries = useQueryClient()
  const toast = useToast()
  return (words) => {
    queries.invalidateQueries({ queryKey: ['pronunciations', workspaceId] })
    toast(words)
    onClose()
  }
}
