// Whether the corrections are saved, who made the last one, and the way back to what was heard.
import { transcriptAddresses } from '@parley/contract/addresses'
import { useState } from 'react'
import { useUser } from '../session/session.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx'
import { authorWords } from '../ui/words/author-words.ts'
import { When } from '../ui/words/when.tsx'
import type { SaveState } from './corrections-saver.ts'

interface CorrectionsStatusProps {
  saving: SaveState
  isCorrected: boolean
  onRetry(): void
  onRevert(): void
}

export function CorrectionsStatus({ saving, isCorrected, onRetry, onRevert }: CorrectionsStatusProps) {
  const [reverting, setReverting] = useState(false)
  const { status, stored, error } = saving
  if (stored.version === 0 && status === 'saved') return null
  const revert = () => {
    setReverting(false)
    onRevert()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-[0.8125rem] text-muted">
      <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {status === 'saved' && (
          <span className="flex items-center gap-1.5">
            <Icon name="check" className="size-3.5 text-good" />
            Saved
          </span>
        )}
        {status === 'saving' && <span>Saving…</span>}
        {status === 'clashing' && <span>Not saved: choose at the top what is kept.</span>}
        {status === 'failed' && (
          <span className="text-bad">Not saved; kept in this browser. {error?.message}</span>
        )}
      </div>
      {status === 'failed' && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
      <LastCorrected stored={stored} />
      {isCorrected && (
        <Button
          size="small"
          kind="quiet"
          needs={transcriptAddresses.putTranscriptCorrections}
          onClick={() => setReverting(true)}
          className="ml-auto"
        >
          Back to what was heard
        </Button>
      )}
      {reverting && (
        <ConfirmDialog
          title="Go back to what was heard?"
          verb="Remove all corrections"
          action={{ isPending: false, error: null, mutate: revert }}
          onClose={() => setReverting(false)}
        >
          All names and corrected words of this transcript are removed, for everybody. This cannot be undone.
        </ConfirmDialog>
      )}
    </div>
  )
}

function LastCorrected({ stored: { version, author, saved_at } }: Pick<SaveState, 'stored'>) {
  const { user_id } = useUser()
  if (version === 0) return null
  return (
    <span className="wrap-anywhere">
      Last corrected by {author?.id === user_id ? 'you' : authorWords(author)}, <When at={saved_at} />
    </span>
  )
}
