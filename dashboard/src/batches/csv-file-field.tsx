// Takes a CSV file by choosing or dropping, and previews it before it is sent.
import { type ChangeEvent, useId, useState } from 'react'
import { Icon } from '../ui/icons.tsx'
import { counted } from './batch-words.tsx'
import { type CsvPreview, previewCsv } from './csv-preview.ts'

interface CsvFileFieldProps {
  file: File | undefined
  fault: string | undefined
  onChoose(file: File): void
}

export function CsvFileField({ file, fault, onChoose }: CsvFileFieldProps) {
  const id = useId()
  const [preview, setPreview] = useState<CsvPreview>()
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.[0]
    if (!chosen) return
    onChoose(chosen)
    setPreview(previewCsv(await chosen.text()))
  }
  return (
    <div className="space-y-4">
      <label
        htmlFor={id}
        className="relative flex flex-col items-center rounded-xl border border-dashed border-edge px-6 py-8 text-center transition-colors focus-within:border-accent hover:bg-hover/60"
      >
        <Icon name="docs" className="mb-2 size-5 text-muted" />
        <span className="font-medium wrap-anywhere">
          {file ? file.name : 'Choose a CSV file, or drop it here'}
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

function FirstRows({ preview: { columns, first, rows } }: { preview: CsvPreview }) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse text-[0.8125rem]" aria-label="The first rows of the file">
        <thead>
          <tr className="border-b border-line bg-rail text-left text-xs text-muted">
            {columns.map((name) => (
              <th key={name} scope="col" className="px-3 py-1.5 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {first.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name and never move
            <tr key={row}>
              {columns.map((name, at) => (
                <td key={name} className="max-w-56 truncate px-3 py-1.5 tabular-nums">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows > first.length && (
        <p className="border-t border-line px-3 py-1.5 text-xs text-muted">
          and {counted(rows - first.length, 'more row')}
        </p>
      )}
    </div>
  )
}
