// The first rows of a file.
import { counted } from './batch-words.tsx'
import type { CsvPreview } from './csv-preview.ts'

export function FirstRows({ preview: { columns, first, rows } }: { preview: CsvPreview }) {
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
