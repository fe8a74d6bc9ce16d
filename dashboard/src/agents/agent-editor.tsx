// An agent being written: the form and the raw JSON are two views of one draft.
import type { Fault } from '@parley/contract'
import { type ReactNode, useId, useState } from 'react'
import { Refusal } from '../api.ts'
import { useLeaveGuard } from '../router.tsx'
import { Button } from '../ui/button.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type Difference, isChanged, type Tree } from '../ui/tree.ts'
import { agentChanges, faultsOfRemoval } from './agent-draft.ts'
import { faultsOfNumbers } from './agent-numbers.ts'
import { AgentSections } from './agent-sections.tsx'
import { JsonField } from './json-field.tsx'

type View = 'form' | 'json'
const views: Record<View, string> = { form: 'Form', json: 'JSON' }

interface AgentEditorProps {
  /** The saved configuration; for a new agent, its initial one. */
  before: Tree
  isNew: boolean
  saving: boolean
  /** The error of the last attempt to save. */
  error: Error | null
  onSave(draft: Tree, changes: Tree): void
  /** Shown below the fields. */
  children?: ReactNode
}

export function AgentEditor({ before, isNew, saving, error, onSave, children }: AgentEditorProps) {
  const form = useForm(before)
  const [startedFrom, setStartedFrom] = useState(before)
  const [view, setView] = useState<View>('form')
  const [broken, setBroken] = useState<string>()
  const [ownError, setOwnError] = useState<Error | null>(null)
  const panelId = useId()
  const difference = agentChanges(before, form.values)
  const unsaved = isChanged(difference) || broken !== undefined
  useLeaveGuard(unsaved && !saving)

  // After saving, editing continues from the saved configuration, in the same view.
  if (startedFrom !== before) {
    setStartedFrom(before)
    form.replace(before)
  }

  const submit = (draft: Tree) => {
    const faults = broken ? [{ path: '', message: broken }] : faultsOf(draft, difference, isNew)
    const refused = faults.length > 0
    setOwnError(refused ? new Refusal(0, { message: 'This cannot be saved yet.', details: faults }) : null)
    if (!refused) onSave(draft, difference.changes)
  }
  const discard = () => {
    form.replace(before)
    setBroken(undefined)
    setOwnError(null)
    setView('form')
  }
  return (
    <Form form={form} error={ownError ?? error} below="agent_config" onSubmit={submit} className="space-y-6">
      <Tabs<View>
        label="Views"
        tabs={views}
        chosen={view}
        locked={broken !== undefined}
        controls={panelId}
        onChoose={setView}
      />
      <div id={panelId} role="tabpanel" aria-label={views[view]}>
        {view === 'form' ? (
          <AgentSections isNew={isNew} />
        ) : (
          <JsonField
            value={form.values}
            hint={
              isNew
                ? 'The agent_config that will be created.'
                : 'Saving sends only what changed. An update cannot remove a key; set it to null where it may be empty.'
            }
            onChange={(read) => {
              setBroken('broken' in read ? read.broken : undefined)
              if ('value' in read) form.replace(read.value)
            }}
          />
        )}
      </div>
      {children}
      {(unsaved || isNew) && (
        <div className="sticky bottom-0 z-20 -mx-4 flex items-center gap-2 border-t border-line bg-canvas/95 px-4 py-3 backdrop-blur sm:-mx-8 sm:px-8">
          <p className="mr-auto text-muted">{isNew ? '' : 'Unsaved changes'}</p>
          {!isNew && <Button onClick={discard}>Discard</Button>}
          <Button type="submit" kind="primary" busy={saving}>
            {isNew ? 'Create agent' : 'Save changes'}
          </Button>
        </div>
      )}
    </Form>
  )
}

function faultsOf(draft: Tree, { changes, removed }: Difference, isNew: boolean): Fault[] {
  const nameless = typeof draft.agent_name === 'string' && draft.agent_name.trim() === ''
  return [
    ...(nameless ? [{ path: 'agent_name', message: 'Give the agent a name.' }] : []),
    ...(isNew ? [] : faultsOfRemoval(removed)),
    ...faultsOfNumbers(changes),
  ]
}
