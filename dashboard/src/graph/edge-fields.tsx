// The fields of one edge: where it leads, and when it is taken.
import type { EdgeType, GraphEdge } from '@parley/contract'
import type { ReactNode } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { height } from '../ui/forms/fields.tsx'
import { SelectBox } from '../ui/forms/select-box.tsx'
import { edgeTypeWords, typeOfEdge } from './edge-words.ts'
import { faultAt, type GraphFault } from './graph-faults.ts'

const operators = {
  eq: 'is',
  neq: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  not_contains: 'does not contain',
  in: 'is one of',
  not_in: 'is none of',
  exists: 'is known',
  not_exists: 'is not known',
}

interface EdgeFieldsProps {
  edge: GraphEdge
  number: number
  nodes: readonly string[]
  faults: readonly GraphFault[]
  path: string
  onChange(changes: Partial<GraphEdge>, about: string): void
  onRemove(): void
}

export function EdgeFields({ edge, number, nodes, faults, path, onChange, onRemove }: EdgeFieldsProps) {
  const type = typeOfEdge(edge)
  const isLost = !nodes.includes(edge.to_node_id)
  return (
    <fieldset className="space-y-3 rounded-lg border border-line p-3">
      <legend className="px-1 text-[0.8125rem] font-medium text-muted">Edge {number}</legend>
      <Choice
        label="Leads to"
        value={edge.to_node_id}
        fault={faultAt(faults, `${path}.to_node_id`)}
        options={Object.fromEntries([...(isLost ? [edge.to_node_id] : []), ...nodes].map((id) => [id, id]))}
        onChoose={(to_node_id) => onChange({ to_node_id }, 'to')}
      />
      <Choice
        label="Taken"
        value={type}
        fault={faultAt(faults, `${path}.condition_type`)}
        options={edgeTypeWords}
        onChoose={(chosen) => onChange({ condition_type: chosen as EdgeType, type: undefined }, 'type')}
      />
      {type === 'llm' && (
        <Words
          label="Condition"
          hint="In words, as in “The caller wants to book”."
          rows={2}
          value={edge.condition ?? ''}
          fault={faultAt(faults, `${path}.condition`)}
          onWrite={(condition) => onChange({ condition }, 'condition')}
        />
      )}
      {type === 'event' && (
        <Words
          label="Keys"
          hint="dtmf for any keys, or as in dtmf:1."
          rows={1}
          value={edge.event_name ?? ''}
          fault={faultAt(faults, `${path}.event_name`)}
          onWrite={(event_name) => onChange({ event_name }, 'event')}
        />
      )}
      {type === 'expression' && <Comparison edge={edge} faults={faults} path={path} onChange={onChange} />}
      <Button size="small" kind="warning" onClick={onRemove}>
        Delete edge {number}
      </Button>
    </fieldset>
  )
}

type ComparisonProps = Pick<EdgeFieldsProps, 'edge' | 'faults' | 'path' | 'onChange'>

/** The first comparison of a condition; all others are written as JSON. */
function Comparison({ edge, faults, path, onChange }: ComparisonProps) {
  const [first, ...more] = edge.expression?.conditions ?? []
  const { variable = '', operator = 'eq', value = '' } = first ?? {}
  const write = (changes: object, about: string) =>
    onChange(
      {
        expression: {
          ...edge.expression,
          conditions: [{ variable, operator, value, ...first, ...changes }, ...more],
        },
      },
      about,
    )
  return (
    <>
      <Words
        label="Variable"
        hint="Of the call, or digits for the keys that were pressed."
        rows={1}
        value={variable}
        fault={faultAt(faults, `${path}.expression`)}
        onWrite={(text) => write({ variable: text }, 'variable')}
      />
      <Choice
        label="Comparison"
        value={operator}
        fault={undefined}
        options={operator in operators ? operators : { [operator]: operator, ...operators }}
        onChoose={(chosen) => write({ operator: chosen }, 'operator')}
      />
      {!operator.includes('exists') && (
        <Words
          label="Value"
          rows={1}
          value={String(value)}
          fault={undefined}
          onWrite={(text) => write({ value: text }, 'value')}
        />
      )}
      {more.length > 0 && (
        <p className="text-[0.8125rem] text-muted">
          {more.length === 1 ? 'One more comparison is' : `${more.length} more comparisons are`} in the JSON.
        </p>
      )}
    </>
  )
}

interface WordsProps {
  label: string
  hint?: ReactNode
  rows: number
  value: string
  fault: string | undefined
  onWrite(text: string): void
}

function Words({ label, hint, rows, value, fault, onWrite }: WordsProps) {
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) =>
        rows > 1 ? (
          <textarea
            {...wiring}
            rows={rows}
            value={value}
            onChange={({ target }) => onWrite(target.value)}
            className={`${boxLooks} py-2`}
          />
        ) : (
          <input
            {...wiring}
            value={value}
            onChange={({ target }) => onWrite(target.value)}
            className={`${boxLooks} ${height}`}
          />
        )
      }
    </Field>
  )
}

interface ChoiceProps {
  label: string
  value: string
  fault: string | undefined
  options: Readonly<Record<string, string>>
  onChoose(value: string): void
}

function Choice({ label, value, fault, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label} fault={fault}>
      {(wiring) => (
        <SelectBox
          {...wiring}
          value={value}
          options={options}
          onChange={({ target }) => onChoose(target.value)}
        />
      )}
    </Field>
  )
}
