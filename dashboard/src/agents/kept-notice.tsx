// A notice that offers unsaved changes of an earlier visit, which this browser has kept.
import { useEffect, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { When } from '../ui/words/when.tsx'
import { forgetDraft, type KeptDraft, keepDraft, keptDraft } from './kept-draft.ts'

interface DraftKeeper {
  /** The draft of an earlier visit, until it is taken or thrown away. */
  readonly former: KeptDraft | undefined
  /** Whether the agent was saved by somebody else since. */
  readonly outdated: boolean
  forget(): void
}

/** Keeps the draft while it differs from what is saved, and offers one that was kept before. */
export function useKeptDraft(
  { workspaceId, agentId }: { workspaceId: string; agentId: string },
  values: Tree,
  savedAt: string,
  changed: boolean,
): DraftKeeper {
  const [former, setFormer] = useState(() => keptDraft({ workspaceId, agentId }))
  useEffect(() => {
    const place = { workspaceId, agentId }
    if (changed) keepDraft(place, { values, basedOn: savedAt, keptAt: new Date().toISOString() })
    // A former draft stays until the user has decided about it.
    else if (!former) forgetDraft(place)
  }, [workspaceId, agentId, values, savedAt, changed, former])
  return {
    former: changed ? undefined : former,
    outdated: former !== undefined && former.basedOn !== savedAt,
    forget() {
      setFormer(undefined)
      forgetDraft({ workspaceId, agentId })
    },
  }
}

export function KeptNotice({ kept, onTake }: { kept: DraftKeeper; onTake(values: Tree): void }) {
  const { former, outdated, forget } = kept
  if (!former) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-accent-soft px-3.5 py-3 text-accent-ink"
    >
      <p className="min-w-0 flex-1">
        There are changes from <When at={former.keptAt} /> that were not saved.
        {outdated && ' The agent was saved since; taking them replaces what was changed there.'}
      </p>
      <div className="flex gap-2">
        <Button
          size="small"
          onClick={() => {
            const { values } = former
            forget()
            onTake(values)
          }}
        >
          Continue with them
        </Button>
        <Button size="small" kind="quiet" onClick={forget}>
          Throw them away
        </Button>
      </div>
    </div>
  )
}
