// A notice that offers, once, corrections that only this browser has, from releases whose servers did not store them.
import { transcriptAddresses } from '@parley/contract/addresses'
import { useEffect, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { type Edits, howMany } from './edits.ts'
import { forgetFormerEdits, formerEdits } from './kept-edits.ts'

interface FormerNoticeProps {
  transcriptId: string
  tidy(edits: Edits): Edits
  onTake(former: Edits): void
}

export function FormerNotice({ transcriptId, tidy, onTake }: FormerNoticeProps) {
  const [former, setFormer] = useState(() => {
    const found = formerEdits(transcriptId)
    return found && tidy(found)
  })
  const count = former ? howMany(former) : 0
  useEffect(() => {
    if (count === 0) forgetFormerEdits(transcriptId)
  }, [transcriptId, count])
  if (!former || count === 0) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-accent-soft px-3.5 py-3 text-accent-ink"
    >
      <p className="min-w-0 flex-1">
        {count === 1 ? 'A correction of this transcript is' : `${count} corrections of this transcript are`}{' '}
        in this browser only.
      </p>
      <div className="flex gap-2">
        <Button
          size="small"
          needs={transcriptAddresses.putTranscriptCorrections}
          onClick={() => {
            onTake(former)
            setFormer(undefined)
          }}
        >
          Save for everybody
        </Button>
        <Button size="small" kind="quiet" onClick={() => setFormer(undefined)}>
          Throw away
        </Button>
      </div>
    </div>
  )
}
