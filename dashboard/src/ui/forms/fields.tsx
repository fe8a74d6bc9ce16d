// The fields of a form that are typed into, each bound to a path of its values.
import { type InputHTMLAttributes, type ReactNode, useState } from 'react'
import { boxLooks, Field } from './field.tsx'
import { useField } from './form.tsx'
import { isTree } from './tree.ts'

export interface LabelledProps {
  path: string
  label: string
  hint?: ReactNode
}

/** The text of a value that may be missing. */
export const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))
export const height = 'h-9 sm:h-8.5'

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'placeholder' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'spellCheck'
>

/** `blank` is what an emptied field means. */
export function TextField({
  path,
  label,
  hint,
  blank = '',
  ...typing
}: LabelledProps & InputProps & { blank?: '' | null }) {
  const { value, set, fault } = useField(path)
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          {...typing}
          name={path}
          value={text(value)}
          onChange={(event) => set(event.target.value || blank)}
          className={`${boxLooks} ${height}`}
        />
      )}
    </Field>
  )
}

interface AreaProps extends LabelledProps {
  rows: number
  placeholder?: string
  /** What an emptied field means. */
  blank?: '' | null
}

export function AreaField({ path, label, hint, rows, placeholder, blank = '' }: AreaProps) {
  const { value, set, fault } = useField(path)
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <textarea
          {...wiring}
          name={path}
          rows={rows}
          placeholder={placeholder}
          value={text(value)}
          onChange={(event) => set(event.target.value || blank)}
          className={`${boxLooks} py-2 leading-relaxed`}
        />
      )}
    </Field>
  )
}

interface NumberProps extends LabelledProps {
  unit: string
  min?: number
  /** What an emptied field means. */
  blank?: null
  placeholder?: string
}

/** `unit` is shown inside the box, because a number without one means nothing. */
export function NumberField({
  path,
  label,
  hint,
  unit,
  min = 0,
  blank,
  placeholder = 'Default',
}: NumberProps) {
  const { value, set, fault } = useField(path)
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            name={path}
            type="number"
            inputMode="numeric"
            step={1}
            min={min}
            placeholder={placeholder}
            value={text(value)}
            onChange={({ target }) => set(target.value === '' ? blank : Number(target.value))}
            className={`${boxLooks} ${height} pr-16 tabular-nums`}
          />
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-[0.8125rem] text-muted">
            {unit}
          </span>
        </div>
      )}
    </Field>
  )
}

interface LinesProps extends LabelledProps {
  rows: number
  placeholder?: string
  /** A value as lines, and back. */
  show(value: unknown): string[]
  read(lines: string[]): unknown
}

/** A field for a list, one item per line. The text stays as it is typed until the field is left, so that a line can be half written. */
export function LinesField({ path, label, hint, rows, placeholder, show, read }: LinesProps) {
  const { value, set, fault } = useField(path)
  const [typed, setTyped] = useState<string>()
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <textarea
          {...wiring}
          name={path}
          rows={rows}
          spellCheck={false}
          placeholder={placeholder}
          value={typed ?? show(value).join('\n')}
          onChange={({ target }) => {
            setTyped(target.value)
            set(
              read(
                target.value
                  .split('\n')
                  .map((line) => line.trim())
                  .filter(Boolean),
              ),
            )
          }}
          onBlur={() => setTyped(undefined)}
          className={`${boxLooks} py-2 font-mono leading-relaxed`}
        />
      )}
    </Field>
  )
}

export const listOfLines = {
  show: (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []),
  read: (lines: string[]): unknown => lines,
}

/** A field for named values, one `name: value` per line. */
export const headerLines = {
  show: (value: unknown): string[] =>
    isTree(value) ? Object.entries(value).map(([name, text]) => `${name}: ${text}`) : [],
  read: (lines: string[]): unknown =>
    Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...rest] = line.split(':')
        return [name.trim(), rest.join(':').trim()]
      }),
    ),
}
