// Creates a repository, changes its settings, and deletes it.
import type { BodyOf, createRepository, Repository, updateRepository } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { Dialog, FormActions } from '../ui/dialogs/dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { NumberField, TextField } from '../ui/forms/fields.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { Pair } from '../ui/layout/section.tsx'
import { useKnowledgeRefresh } from './knowledge.ts'

interface DialogProps {
  workspaceId: string
  onClose(): void
}

export function NewRepositoryDialog({ workspaceId, onClose }: DialogProps) {
  const refresh = useKnowledgeRefresh()
  const form = useForm<Tree>({ name: '', description: null, language: 'en' })
  const create = useMutation({
    mutationFn: (values: Tree) =>
      api.createRepository(workspaceId, values as BodyOf<typeof createRepository>),
    onSuccess: ({ repository_id }) => {
      refresh()
      onClose()
      // Its page has the next step: to add documents.
      go(`/knowledge/${repository_id}`)
    },
  })
  return (
    <Dialog title="New repository" onClose={onClose}>
      <Form form={form} error={create.error} onSubmit={(values) => create.mutate(values)}>
        <TextField path="name" label="Name" placeholder="Patient handbook" autoComplete="off" />
        <TextField path="description" label="What is in it" blank={null} autoComplete="off" />
        <LanguageField />
        <FormActions verb="Create repository" busy={create.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

const LanguageField = () => (
  <TextField
    path="language"
    label="Language of the documents"
    placeholder="en"
    hint="Such as en, de or pt-BR: how words are compared."
    autoComplete="off"
    spellCheck={false}
  />
)

interface OfRepositoryProps extends DialogProps {
  repository: Repository
}

export function RepositorySettingsDialog({ workspaceId, repository, onClose }: OfRepositoryProps) {
  const refresh = useKnowledgeRefresh()
  const toast = useToast()
  const { name, description, language, chunk_size, chunk_overlap, top_k } = repository
  const form = useForm<Tree>({ name, description, language, chunk_size, chunk_overlap, top_k })
  const save = useMutation({
    mutationFn: (values: Tree) =>
      api.updateRepository(workspaceId, repository.repository_id, values as BodyOf<typeof updateRepository>),
    onSuccess: ({ status }) => {
      refresh()
      toast(status === 'processing' ? 'Saved; the documents are indexed again' : 'Changes saved')
      onClose()
    },
  })
  return (
    <Dialog title="Settings" onClose={onClose}>
      <Form form={form} error={save.error} onSubmit={(values) => save.mutate(values)}>
        <TextField path="name" label="Name" autoComplete="off" />
        <TextField path="description" label="What is in it" blank={null} autoComplete="off" />
        <LanguageField />
        <Pair>
          <NumberField path="chunk_size" label="Length of a passage" unit="letters" min={128} />
          <NumberField path="chunk_overlap" label="Overlap" unit="letters" />
        </Pair>
        <NumberField
          path="top_k"
          label="Passages for a question"
          unit="passages"
          min={1}
          hint="Another language, length or overlap indexes all documents again; until then the old passages are searched."
        />
        <FormActions verb="Save" busy={save.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  )
}

export function DeleteRepositoryDialog({ workspaceId, repository, onClose }: OfRepositoryProps) {
  const refresh = useKnowledgeRefresh()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => api.deleteRepository(workspaceId, repository.repository_id),
    onSuccess: () => {
      go('/knowledge', { replace: true })
      refresh()
      toast(`${repository.name} deleted`)
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${repository.name}?`}
      verb="Delete repository"
      action={remove}
      onClose={onClose}
    >
      Its documents, passages and files are deleted at once and cannot be brought back. That is refused as
      long as an agent answers from it.
    </ConfirmDialog>
  )
}
