// Ends a running call, after asking.
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import type { CallPlace } from './use-call.ts'

export function StopButton({ place }: { place: CallPlace }) {
  const [asking, setAsking] = useState(false)
  const toast = useToast()
  const stop = useMutation({
    mutationFn: () => api.stopCall(place.workspaceId, place.sessionId),
    onSuccess: () => {
      setAsking(false)
      toast('The call is being ended')
    },
  })
  return (
    <>
      <Button kind="warning" needs={voice.stopCall} onClick={() => setAsking(true)}>
        <Icon name="hangUp" />
        End call
      </Button>
      {asking && (
        <ConfirmDialog
          title="End this call?"
          verb="End it now"
          action={stop}
          onClose={() => setAsking(false)}
        >
          The agent hangs up at once, in the middle of a sentence if need be.
        </ConfirmDialog>
      )}
    </>
  )
}
