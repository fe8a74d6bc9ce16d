// A table with one item per row.
import type { ReactNode } from 'react'

export interface Column<Item> {
  readonly head: string
  /** Shown in place of the head, which screen readers still get. */
  readonly headCell?: ReactNode
  /** Hidden on narrow screens, where the first column shows the most important of it. */
  readonly wide?: boolean
  /** Buttons: to the right, without a visible head. */
  readonly actions?: boolean
  cell(item: Item): ReactNode
}

interface TableProps<Item> {
  /** What is listed, for screen readers. */
  label: string
  items: readonly Item[]
  columns: readonly Column<Item>[]
  keyOf(item: Item): string | number
}

const shown = ({ wide, actions }: { wide?: boolean; actions?: boolean }) =>
  `${wide ? 'hidden md:table-cell' : ''} ${actions ? 'text-right' : 'text-left'}`

export function Table<Item>({ label, items, columns, keyOf }: TableProps<Item>) {
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface shadow-card">
      <table className="w-full border-collapse" aria-label={label}>
        <thead>
          <tr className="border-b border-line bg-rail text-xs text-muted">
            {columns.map((column) => (
              <th key={column.head} scope="col" className={`px-4 py-2 font-medium ${shown(column)}`}>
                {column.headCell ??
                  (column.actions ? <span className="sr-only">{column.head}</span> : column.head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {items.map((item) => (
            <tr key={keyOf(item)} className="relative transition-colors hover:bg-hover/60">
              {columns.map((column) => (
                <td key={column.head} className={`px-4 py-3 align-middle ${shown(column)}`}>
                  {column.cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
