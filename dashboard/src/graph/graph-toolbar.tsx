// The toolbar of the graph editor: commands for the whole graph, and whether it is saved.
import { voiceAddresses as voice } from '@parley/contract/addresses'
import type { ReactNode } from 'react'
import { Refusal } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import type { GraphFault } from './graph-faults.ts'
import type { GraphDraft } from './use-graph-draft.ts'

interface GraphToolbarProps {
  draft: GraphDraft
  onAdd(): void
  onArrange(): void
  children: ReactNode
}

export function GraphToolbar({ draft, onAdd, onArrange, children }: GraphToolbarProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Button needs={voice.putAgentGraph} onClick={onAdd}>
        <Icon name="plus" className="size-3.5" />
        Add node
      </Button>
      <Button needs={voice.putAgentGraph} onClick={onArrange}>
        Arrange
      </Button>
      <Button aria-label="Undo" title="Undo (Ctrl+Z)" disabled={!draft.undo} onClick={draft.undo}>
        <Icon name="undo" />
      </Button>
      <Button aria-label="Redo" title="Redo (Ctrl+Shift+Z)" disabled={!draft.redo} onClick={draft.redo}>
        <Icon name="redo" />
      </Button>
      <p role="status" className="text-[0.8125rem] text-muted">
        {faultWords(draft.faults)}
        {draft.isUnsaved && ' Not saved.'}
      </p>
      <div className="ml-auto">{children}</div>
    </div>
  )
}

function faultWords(faults: readonly GraphFault[]): string {
  const refused = faults.filter(({ isRefused }) => isRefused).length
  if (refused > 0) return refused === 1 ? 'One fault to mend.' : `${refused} faults to mend.`
  if (faults.length > 0) return faults.length === 1 ? 'One hint.' : `${faults.length} hints.`
  return 'No faults.'
}

/** A notice that says why the graph was not saved, and what to do if somebody else has saved it meanwhile. */
export function SavingRefused({ draft, onReload }: { draft: GraphDraft; onReload(): void }) {
  if (!draft.error) return null
  const isLate = draft.error instanceof Refusal && draft.error.code === 'AGENT_VERSION_CONFLICT'
  return (
    <div className="mb-4 space-y-2">
      <RefusalNotice error={draft.error} />
      {isLate && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onReload}>Load the newest</Button>
          <Button kind="warning" onClick={() => draft.save(true)}>
            Save mine over it
          </Button>
        </div>
      )}
    </div>
  )
}
