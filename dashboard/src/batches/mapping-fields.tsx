// Says which column of the file is which.
import { useId } from 'react'
import { boxLooks } from '../ui/field.tsx'
import { type KnownColumn, knownColumns, type Mapping } from './column-mapping.ts'

interface MappingFieldsProps {
  columns: readonly string[]
  mapping: Mapping
  onChange(mapping: Mapping): void
}

export function MappingFields({ columns, mapping, onChange }: MappingFieldsProps) {
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Columns</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {(Object.keys(knownColumns) as KnownColumn[]).map((known) => (
          <div key={known} className="min-w-0">
            <label htmlFor={`${id}-${known}`} className="mb-1 block text-[0.8125rem] text-muted">
              {knownColumns[known]}
            </label>
            <select
              id={`${id}-${known}`}
              value={mapping[known] ?? ''}
              onChange={({ target }) => {
                const { [known]: _, ...others } = mapping
                onChange(target.value === '' ? others : { ...others, [known]: target.value })
              }}
              className={`${boxLooks} h-9 sm:h-8.5`}
            >
              <option value="">{known === 'to_phone_number' ? 'Choose a column' : 'None'}</option>
              {columns.map((column) => (
                <option key={column}>{column}</option>
              ))}
            </select>
          </div>
        ))}
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-muted">
        Every other column fills a placeholder with its name in the agent’s words.
      </p>
    </fieldset>
  )
}
