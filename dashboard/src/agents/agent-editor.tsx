// An agent being written: tabs over one draft, which this browser keeps until it is saved, and a test docked beside them.
import type { dashboard } from '@parley/contract'
import { trialAddresses, voiceAddresses } from '@parley/contract/addresses'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Refusal } from '../api.ts'
import { go, useLeaveGuard, usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useWhyNot } from '../ui/controls/may.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { isChanged, type Tree } from '../ui/forms/tree.ts'
import { Tabs } from '../ui/layout/tabs.tsx'
import { agentChanges, faultsOf, faultsOfRemoval } from './agent-draft.ts'
import { AgentNotice } from './agent-notice.tsx'
import { allSettings } from './all-settings.ts'
import { KeptNotice, useKeptDraft } from './kept-notice.tsx'
import { EditorTab } from './tabs/editor-tab.tsx'
import { faultsByTab, isTab, type TabName, tabOf, tabWords } from './tabs.ts'
import { TrialPanel } from './trial/trial-panel.tsx'

interface AgentEditorProps {
  workspaceId: string
  /** Undefined for an agent that does not exist yet. */
  agentId: string | undefined
  /** The saved configuration; for a new agent, its initial one. */
  before: Tree
  /** When it was saved; empty for a new agent. */
  savedAt: string
  saving: boolean
  /** The error of the last attempt to save. */
  error: Error | null
  /** What the server said when it was saved last. */
  warnings?: readonly string[]
  onSave(draft: Tree, changes: Tree): void
  /** Places a call with the draft. */
  place(draft: Tree, changes: Tree, trial: dashboard.Trial): Promise<dashboard.DraftCall>
  /** Shown below the fields of the last tab. */
  children?: ReactNode
}

export function AgentEditor(props: AgentEditorProps) {
  const {
    workspaceId,
    agentId,
    before,
    savedAt,
    saving,
    error,
    warnings = [],
    onSave,
    place,
    children,
  } = props
  const isNew = agentId === undefined
  const storing = isNew ? voiceAddresses.createAgent : voiceAddresses.updateAgent
  const whyNot = useWhyNot(storing)
  const form = useForm(before)
  const [startedFrom, setStartedFrom] = useState(before)
  const [broken, setBroken] = useState<string>()
  const [ownError, setOwnError] = useState<Error | null>(null)
  const [testing, setTesting] = useState(false)
  // A configuration that comes from outside the code editor is shown in a new editor.
  const [revision, setRevision] = useState(0)
  const [tab, chooseTab] = useTab(agentId ?? 'new')
  const difference = agentChanges(before, form.values)
  const unsaved = isChanged(difference) || broken !== undefined
  const shownError = ownError ?? error
  const faults = shownError instanceof Refusal ? shownError.faults : []
  const panelId = useId()
  useLeaveGuard(unsaved && !saving)
  const kept = useKeptDraft(
    { workspaceId, agentId: agentId ?? 'new' },
    form.values,
    savedAt,
    isChanged(difference),
  )
  const element = useFocusOnFault(shownError, tab, chooseTab)

  const replace = (values: Tree) => {
    form.replace(values)
    setRevision((last) => last + 1)
    setBroken(undefined)
    setOwnError(null)
  }
  // After saving, editing continues from the saved configuration, in the same tab.
  if (startedFrom !== before) {
    setStartedFrom(before)
    replace(before)
  }

  const refuse = (details: { path: string; message: string }[]) => {
    setOwnError(new Refusal(0, { message: 'This cannot be saved yet.', details }))
  }
  const submit = (draft: Tree) => {
    if (broken !== undefined) return refuse([{ path: '', message: broken }])
    const faults = [...faultsOf(draft, allSettings), ...(isNew ? [] : faultsOfRemoval(difference.removed))]
    if (faults.length > 0) return refuse(faults)
    setOwnError(null)
    onSave(draft, difference.changes)
  }
  const tryOut = async (trial: dashboard.Trial) => {
    try {
      setOwnError(null)
      return await place(form.values, difference.changes, trial)
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.faults.length > 0) setOwnError(refusal)
      throw refusal
    }
  }
  return (
    <div
      ref={element}
      data-wide={testing || undefined}
      className={testing ? 'grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]' : ''}
    >
      <Form
        form={form}
        error={shownError}
        below="agent_config"
        onSubmit={submit}
        className="min-w-0 space-y-6"
      >
        <KeptNotice kept={kept} onTake={replace} />
        <AgentNotice config={form.values} saved={warnings} />
        <div className="flex items-start gap-4">
          <div className="min-w-0 flex-1">
            <Tabs<TabName>
              label="Settings"
              tabs={tabWords}
              chosen={tab}
              dense={testing}
              marks={faultsByTab(
                faults.map((fault) => ({ ...fault, path: fault.path.replace(/^agent_config\./, '') })),
              )}
              locked={broken !== undefined}
              controls={panelId}
              onChoose={chooseTab}
            />
          </div>
          {!testing && (
            <Button needs={trialAddresses.tryAgent} onClick={() => setTesting(true)}>
              Test
            </Button>
          )}
        </div>
        <div id={panelId} role="tabpanel" aria-label={tabWords[tab]}>
          <fieldset disabled={whyNot !== undefined} title={whyNot} className="min-w-0">
            <EditorTab
              key={tab === 'advanced' ? revision : tab}
              tab={tab}
              agentId={agentId}
              value={form.values}
              place={tryOut}
              onJson={(read) => {
                setBroken('broken' in read ? read.broken : undefined)
                if ('value' in read) form.replace(read.value)
              }}
            />
          </fieldset>
          {tab === 'advanced' && children}
        </div>
        {(unsaved || isNew) && (
          <div className="sticky bottom-0 z-20 -mx-4 flex items-center gap-2 border-t border-line bg-canvas/95 px-4 py-3 backdrop-blur sm:-mx-8 sm:px-8">
            <p className="mr-auto text-muted">{isNew ? '' : 'Unsaved changes'}</p>
            {!isNew && (
              <Button
                onClick={() => {
                  kept.forget()
                  replace(before)
                }}
              >
                Discard
              </Button>
            )}
            <Button type="submit" kind="primary" busy={saving} needs={storing}>
              {isNew ? 'Create agent' : 'Save changes'}
            </Button>
          </div>
        )}
      </Form>
      {testing && (
        <TrialPanel
          workspaceId={workspaceId}
          config={form.values}
          unsaved={unsaved || isNew}
          place={tryOut}
          onClose={() => setTesting(false)}
        />
      )}
    </div>
  )
}

/** The tab is in the address, so that a page that is loaded again, or shared, shows the same. */
function useTab(at: string): [TabName, (tab: TabName) => void] {
  const { query } = usePlace()
  const asked = query.get('tab')
  const choose = (tab: TabName) => {
    const next = new URLSearchParams(query)
    next.set('tab', tab)
    go(`/agents/${at}?${next}`, { replace: true })
  }
  return [isTab(asked) ? asked : 'prompt', choose]
}

/** Shows the tab of the first fault and goes to its field, once for each error. */
function useFocusOnFault(error: Error | null, tab: TabName, chooseTab: (tab: TabName) => void) {
  const element = useRef<HTMLDivElement>(null)
  const [first] = error instanceof Refusal ? error.faults : []
  const faultyTab = first?.path ? tabOf(first.path.replace(/^agent_config\./, '')) : undefined
  const shown = useRef<Error | null>(null)
  useEffect(() => {
    if (!error || shown.current === error) return
    if (faultyTab && faultyTab !== tab) return chooseTab(faultyTab)
    shown.current = error
    element.current?.querySelector<HTMLElement>('[role=tabpanel] [aria-invalid="true"]')?.focus()
  }, [error, faultyTab, tab, chooseTab])
  return element
}
