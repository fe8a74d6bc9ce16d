// The fields that say what each column of the file means.
import { useId } from 'react'
import { SelectBox } from '../ui/forms/select-box.tsx'
import { type ColumnMapping, type KnownColumn, knownColumns } from './column-mapping.ts'

interface MappingFieldsProps {
  columns: readonly string[]
  mapping: ColumnMapping
  onChange(mapping: ColumnMapping): void
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
            <SelectBox
              id={`${id}-${known}`}
              value={mapping[known] ?? ''}
              options={Object.fromEntries(columns.map((column) => [column, column]))}
              none={known === 'to_phone_number' ? 'Choose a column' : 'None'}
              onChange={({ target }) => {
                const { [known]: _, ...others } = mapping
                onChange(target.value === '' ? others : { ...others, [known]: target.value })
              }}
            />
          </div>
        ))}
      </div>
      <p className="mt-1.5 text-[0.8125rem] text-muted">
        Every other column fills a placeholder with its name in the agent’s words.
      </p>
    </fieldset>
  )
}
