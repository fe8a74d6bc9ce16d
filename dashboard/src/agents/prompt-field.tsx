// The prompt, with its variables as chips below and an estimate of its tokens.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { everyTool } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { text } from '../ui/forms/fields.tsx'
import { useField, useValues } from '../ui/forms/form.tsx'
import { type Tree, valueAt } from '../ui/forms/tree.ts'
import { countTokens } from './count-tokens.ts'
import { memoryVariables, type Source, systemVariables, type Variable, variablesOf } from './variables.ts'

const path = 'agent_prompt'

export function PromptField() {
  const { value, set, fault } = useField(path)
  const area = useRef<HTMLTextAreaElement>(null)
  const written = text(value)
  const insert = (name: string) => {
    const box = area.current
    if (!box) return
    const { selectionStart: from, selectionEnd: to } = box
    set(`${written.slice(0, from)}{${name}}${written.slice(to)}`)
    box.focus()
    const caret = from + name.length + 2
    requestAnimationFrame(() => box.setSelectionRange(caret, caret))
  }
  return (
    <div>
      <Field
        label="Prompt"
        fault={fault}
        hint={
          <>
            What the agent is told: who it is, what it knows, what it asks for. A word in braces, such as{' '}
            <code className="font-mono text-xs">{'{name}'}</code>, is filled with a value of the call.
          </>
        }
      >
        {(wiring) => (
          <>
            <textarea
              {...wiring}
              ref={area}
              name={path}
              rows={14}
              placeholder="You are the receptionist of Maple Dental. Be brief and friendly."
              value={written}
              onChange={(event) => set(event.target.value)}
              className={`${boxLooks} py-2 leading-relaxed`}
            />
            <p className="mt-1 text-right text-xs text-muted tabular-nums">
              <span title="An estimate: every vendor counts differently. In English it is within a tenth of OpenAI’s o200k.">
                about {countTokens(written).toLocaleString('en')} tokens
              </span>
              {' · '}
              {written.length.toLocaleString('en')} characters
            </p>
          </>
        )}
      </Field>
      <Variables onInsert={insert} />
    </div>
  )
}

/** The variables that tools of this agent save from their answers. */
function useToolVariables(config: Tree): string[] {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const chosen = valueAt(config, 'tool_definition_ids')
  const { data = [] } = useQuery({
    queryKey: ['tools', workspaceId, 'every'],
    queryFn: () => everyTool(workspaceId),
    enabled: workspaceId !== '' && Array.isArray(chosen) && chosen.length > 0,
  })
  return data
    .filter(({ tool_id }) => Array.isArray(chosen) && chosen.includes(tool_id))
    .flatMap(({ save }) => Object.keys(save ?? {}))
}

export const useVariables = (config: Tree): Variable[] => variablesOf(config, useToolVariables(config))

const sourceWords: Record<Source, string> = {
  call: 'from the call',
  system: 'built in',
  memory: 'remembered',
  tool: 'from a tool',
}
const sourceTones: Record<Source, string> = {
  call: 'bg-accent-soft text-accent-ink',
  system: 'bg-hover text-ink',
  memory: 'bg-good-soft text-good',
  tool: 'bg-wait-soft text-wait',
}

function Variables({ onInsert }: { onInsert(name: string): void }) {
  const config = useValues()
  const used = useVariables(config)
  const [more, setMore] = useState(false)
  const remembers = valueAt(config, 'api_tools.memory.enabled') === true
  const names = new Set(used.map(({ name }) => name))
  const offered = Object.entries({ ...systemVariables, ...(remembers && memoryVariables) }).filter(
    ([name]) => !names.has(name),
  )
  return (
    <div className="mt-3 text-[0.8125rem]">
      <p className="font-medium">Variables</p>
      {used.length === 0 ? (
        <p className="mt-1 text-muted">The texts of this agent name none.</p>
      ) : (
        <ul className="mt-1.5 flex flex-wrap gap-1.5">
          {used.map(({ name, from, about }) => (
            <li
              key={name}
              title={about}
              className={`inline-flex items-center gap-1.5 rounded-md px-2 py-0.5 ${sourceTones[from]}`}
            >
              <code className="font-mono text-xs font-medium">{`{${name}}`}</code>
              <span className="text-xs">{sourceWords[from]}</span>
            </li>
          ))}
        </ul>
      )}
      <button
        type="button"
        aria-expanded={more}
        onClick={() => setMore(!more)}
        className="mt-2 rounded font-medium text-accent-ink hover:underline"
      >
        Insert a built-in variable
      </button>
      {more && (
        <ul className="mt-1.5 flex flex-wrap gap-1.5">
          {offered.map(([name, about]) => (
            <li key={name}>
              <button
                type="button"
                title={about}
                onClick={() => onInsert(name)}
                className="rounded-md border border-edge px-2 py-0.5 font-mono text-xs hover:bg-hover"
              >
                {`{${name}}`}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
