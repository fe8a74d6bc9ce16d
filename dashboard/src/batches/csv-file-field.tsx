// A field for a CSV file, which is chosen or dropped. It says what each column means and previews the file before it is sent.
import { type ChangeEvent, useId } from 'react'
import { Icon } from '../ui/controls/icons.tsx'
import { SelectBox } from '../ui/forms/select-box.tsx'
import { counted } from './batch-words.tsx'
import {
  type ColumnMapping,
  guessMapping,
  type KnownColumn,
  knownColumns,
  withHeadings,
} from './column-mapping.ts'
import { type CsvPreview, previewCsv } from './csv-preview.ts'
import { FirstRows } from './first-rows.tsx'

/** A file that was chosen, and what its columns mean. */
export interface Sheet {
  readonly name: string
  readonly text: string
  /** The columns as they are in the file. */
  readonly original: CsvPreview
  readonly mapping: ColumnMapping
}

/** The file as it is sent. */
export const sentText = ({ text, original, mapping }: Sheet): string => withHeadings(text, original, mapping)

interface CsvFileFieldProps {
  sheet: Sheet | undefined
  /** A preview of the file as it is sent. */
  preview: CsvPreview | undefined
  fault: string | undefined
  onChange(sheet: Sheet): void
}

export function CsvFileField({ sheet, preview, fault, onChange }: CsvFileFieldProps) {
  const id = useId()
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0]
    if (!chosen) return
    const text = await chosen.text()
    const original = previewCsv(text)
    onChange({ name: chosen.name, text, original, mapping: guessMapping(original.columns) })
  }
  return (
    <div className="space-y-4">
      <label
        htmlFor={id}
        className="relative flex flex-col items-center rounded-xl border border-dashed border-edge px-6 py-8 text-center transition-colors focus-within:border-accent hover:bg-hover/60"
      >
        <Icon name="docs" className="mb-2 size-5 text-muted" />
        <span className="font-medium wrap-anywhere">
          {sheet ? sheet.name : 'Choose a CSV file, or drop it here'}
        </span>
        <span className="mt-0.5 text-[0.8125rem] text-muted">
          {preview
            ? `${counted(preview.rows, 'recipient')}. Choose another to replace it.`
            : 'Up to 100,000 recipients'}
        </span>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          aria-label="CSV file"
          aria-invalid={fault !== undefined}
          onChange={choose}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
      </label>
      {fault && <p className="text-[0.8125rem] text-bad">{fault}</p>}
      {sheet && sheet.original.columns.length > 0 && (
        <MappingFields
          columns={sheet.original.columns}
          mapping={sheet.mapping}
          onChange={(mapping) => onChange({ ...sheet, mapping })}
        />
      )}
      {preview && <Faults preview={preview} />}
      {preview && preview.first.length > 0 && <FirstRows preview={preview} />}
    </div>
  )
}

function Faults({ preview: { faults, faultyRows, rows } }: { preview: CsvPreview }) {
  if (faults.length === 0) {
    return (
      <p className="flex items-center gap-2 text-[0.8125rem] text-good">
        <Icon name="check" />
        {counted(rows, 'row')} read, no fault found.
      </p>
    )
  }
  return (
    <div role="alert" className="rounded-lg bg-bad-soft px-3.5 py-3 text-bad">
      <p className="font-medium">
        {faultyRows > 0 ? `${counted(faultyRows, 'row')} would be refused` : 'This file would be refused'}
      </p>
      <ul className="mt-1.5 space-y-1 text-[0.8125rem]">
        {faults.map((fault) => (
          <li key={fault} className="wrap-anywhere">
            {fault}
          </li>
        ))}
        {faultyRows > faults.length && <li>and {counted(faultyRows - faults.length, 'more row')}.</li>}
      </ul>
    </div>
  )
}

interface MappingFieldsProps {
  columns: readonly string[]
  mapping: ColumnMapping
  onChange(mapping: ColumnMapping): void
}

function MappingFields({ columns, mapping, onChange }: MappingFieldsProps) {
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
