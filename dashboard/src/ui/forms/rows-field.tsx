// A list of objects, a row each: added, changed and removed in place. Faults of the server are shown at their row.
import { useId } from 'react'
import { Button } from '../controls/button.tsx'
import { Icon } from '../controls/icons.tsx'
import { boxLooks } from './field.tsx'
import { height, text } from './fields.tsx'
import { useFaults, useField } from './form.tsx'
import { SelectBox } from './select-box.tsx'
import { isTree, type Tree } from './tree.ts'

export interface RowColumn {
  readonly key: string
  readonly label: string
  readonly placeholder?: string
  /** Value to words: a choice instead of a text. */
  readonly options?: Readonly<Record<string, string>>
  readonly is?: 'number' | 'lines'
  readonly wide?: boolean
}

interface RowsProps {
  path: string
  label: string
  /** The word for one row, as in "destination". */
  one: string
  hint?: React.ReactNode
  columns: readonly RowColumn[]
  /** The values of a new row. */
  fresh: Tree
  /** Whether a row is one line of two short fields. */
  compact?: boolean
  /** Turns a row that is no object into one, where the interface also accepts a text. */
  read?: (written: unknown) => Tree
}

export function RowsField({ path, label, one, hint, columns, fresh, compact = false, ...rest }: RowsProps) {
  const { read = asTree } = rest
  const { value, set } = useField(path)
  const faults = useFaults()
  const rows = Array.isArray(value) ? value.map(read) : []
  const change = (at: number, row: Tree) => set(rows.with(at, row))
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      {hint && <p className="mb-2 text-[0.8125rem] text-muted">{hint}</p>}
      <ol className="space-y-2">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own, and is edited in its place
          <li key={at} className={`rounded-lg border border-line ${compact ? 'p-2' : 'p-3'}`}>
            <div className={compact ? 'flex items-end gap-2' : 'grid gap-3 @lg:grid-cols-2'}>
              {columns.map((column) => (
                <Cell
                  key={column.key}
                  name={`${path}.${at}.${column.key}`}
                  column={column}
                  value={row[column.key]}
                  onChange={(next) => change(at, withKey(row, column.key, next))}
                />
              ))}
              {compact && <Remove what={`${one} ${at + 1}`} onClick={() => set(rows.toSpliced(at, 1))} />}
            </div>
            {faults
              .filter((fault) => fault.path === `${path}.${at}` || fault.path.startsWith(`${path}.${at}.`))
              .map((fault) => (
                <p key={fault.path + fault.message} className="mt-2 text-[0.8125rem] text-bad">
                  {fault.message}
                </p>
              ))}
            {!compact && (
              <div className="mt-2 flex justify-end">
                <Remove what={`${one} ${at + 1}`} onClick={() => set(rows.toSpliced(at, 1))} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <Button size="small" className={rows.length > 0 ? 'mt-2' : ''} onClick={() => set([...rows, fresh])}>
        <Icon name="plus" className="size-3.5" />
        Add {one}
      </Button>
    </fieldset>
  )
}

function Remove({ what, onClick }: { what: string; onClick(): void }) {
  return (
    <Button size="small" kind="quiet" aria-label={`Remove ${what}`} onClick={onClick}>
      Remove
    </Button>
  )
}

const asTree = (written: unknown): Tree => (isTree(written) ? written : {})

/** A key that was emptied is left out, so that its default applies. */
function withKey(row: Tree, key: string, value: unknown): Tree {
  const { [key]: _former, ...others } = row
  return value === undefined || value === '' ? others : { ...row, [key]: value }
}

interface CellProps {
  name: string
  column: RowColumn
  value: unknown
  onChange(value: unknown): void
}

function Cell({ name, column, value, onChange }: CellProps) {
  const id = useId()
  const { label, placeholder, options, is, wide = false } = column
  return (
    <div className={`min-w-0 grow ${wide || is === 'lines' ? '@lg:col-span-2' : ''}`}>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-muted">
        {label}
      </label>
      {options ? (
        <SelectBox
          id={id}
          name={name}
          value={text(value)}
          options={options}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : is === 'lines' ? (
        <textarea
          id={id}
          name={name}
          rows={2}
          placeholder={placeholder}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.value.split('\n'))}
          className={`${boxLooks} py-1.5`}
        />
      ) : (
        <input
          id={id}
          name={name}
          autoComplete="off"
          placeholder={placeholder}
          value={text(value)}
          {...(is === 'number' && { type: 'number', step: 'any' })}
          onChange={({ target }) =>
            onChange(is === 'number' && target.value !== '' ? Number(target.value) : target.value)
          }
          className={`${boxLooks} ${height}`}
        />
      )}
    </div>
  )
}
