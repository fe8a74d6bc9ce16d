// The dialog that deletes a transcript after confirmation.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { go } from '../router.tsx'
import { useUser } from '../session/session.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { forgetFormerEdits, keepEdits } from './kept-edits.ts'
import { useTranscriptRefresh } from './transcript.ts'

interface DeleteTranscriptDialogProps {
  workspaceId: string
  transcriptId: string
  onClose(): void
}

export function DeleteTranscriptDialog(props: DeleteTranscriptDialogProps) {
  const { workspaceId, transcriptId, onClose } = props
  const refresh = useTranscriptRefresh()
  const toast = useToast()
  const { user_id: userId } = useUser()
  const remove = useMutation({
    mutationFn: () => api.deleteTranscript(workspaceId, transcriptId),
    onSuccess: () => {
      keepEdits({ userId, transcriptId }, undefined)
      forgetFormerEdits(transcriptId)
      refresh()
      toast('Transcript deleted')
      go('/transcripts', { replace: true })
    },
  })
  return (
    <ConfirmDialog
      title="Delete this transcript?"
      verb="Delete transcript"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      The transcript is deleted with its corrections, and so is the recording, unless another transcript needs
      it. This cannot be undone.
    </ConfirmDialog>
  )
}
