// A notice for names and lines that somebody else has corrected meanwhile: it shows both versions, and the user chooses.
import type { Transcript } from '@parley/contract'
import { Button } from '../ui/controls/button.tsx'
import { authorWords } from '../ui/words/author-words.ts'
import type { SaveState } from './corrections-saver.ts'
import { usualName } from './edited-transcript.ts'
import type { Clash } from './edits.ts'
import { clockOf } from './transcript.ts'

interface ClashNoticeProps {
  saving: SaveState
  transcript: Transcript
  onChoose(clash: Clash, whose: 'mine' | 'theirs'): void
}

export function ClashNotice({ saving: { clashes, stored }, transcript, onChoose }: ClashNoticeProps) {
  if (clashes.length === 0) return null
  return (
    <div role="alert" className="space-y-3 rounded-lg bg-wait-soft px-3.5 py-3 text-[0.8125rem]">
      <p className="font-medium text-wait">
        {authorWords(stored.author)} has corrected the same meanwhile. Nothing is lost: choose what is kept.
      </p>
      <ul className="space-y-3">
        {clashes.map((clash) => (
          <li key={clash.kind + clash.key}>
            <p className="mb-1 text-muted">{placeOf(clash, transcript)}</p>
            <div className="flex flex-wrap gap-2">
              {(['mine', 'theirs'] as const).map((whose) => (
                <Choice key={whose} onChoose={() => onChoose(clash, whose)}>
                  {whose === 'mine' ? 'Keep mine' : 'Take theirs'}: {wordsOf(clash[whose], clash, transcript)}
                </Choice>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Choice({ onChoose, children }: { onChoose(): void; children: React.ReactNode }) {
  return (
    <Button onClick={onChoose} className="h-auto! min-h-8 py-1 text-left whitespace-normal! wrap-anywhere">
      <span>{children}</span>
    </Button>
  )
}

const placeOf = ({ kind, key }: Clash, { segments }: Transcript): string =>
  kind === 'names'
    ? `The name of ${usualName(key)}`
    : `The line at ${clockOf(segments[Number(key)]?.start ?? 0)}`

/** The corrected text, or words that say that it was left as it was heard. */
function wordsOf(text: string | undefined, { kind, key }: Clash, { segments }: Transcript): string {
  if (kind === 'names') return text?.trim() || usualName(key)
  return (text ?? segments[Number(key)]?.text ?? '') || '(nothing)'
}
