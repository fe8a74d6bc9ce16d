// The kinds of field that a form is made of, each bound to a path of its values.
import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { boxLooks, Field } from './field.tsx'
import { useField } from './form.tsx'
import { Icon } from './icons.tsx'

interface Named {
  path: string
  label: string
  hint?: ReactNode
}

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))
const height = 'h-9 sm:h-8.5'

type Typing = Pick<
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
}: Named & Typing & { blank?: '' | null }) {
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

interface AreaProps extends Named {
  rows: number
  placeholder?: string
}

export function AreaField({ path, label, hint, rows, placeholder }: AreaProps) {
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
          onChange={(event) => set(event.target.value)}
          className={`${boxLooks} py-2 leading-relaxed`}
        />
      )}
    </Field>
  )
}

/** `unit` stands inside the box, because a number without one means nothing. */
export function NumberField({ path, label, hint, unit, min = 0 }: Named & { unit: string; min?: number }) {
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
            placeholder="Default"
            value={text(value)}
            onChange={({ target }) => set(target.value === '' ? undefined : Number(target.value))}
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

interface SelectProps extends Named {
  /** Value to words. */
  options: Record<string, string>
  /** Words for no choice at all. */
  none?: string
}

export function SelectField({ path, label, hint, options, none }: SelectProps) {
  const { value, set, fault } = useField(path)
  const chosen = text(value)
  // A value that came over the interface is shown even where this page would not offer it.
  const offered = chosen === '' || chosen in options ? options : { ...options, [chosen]: chosen }
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <div className="relative">
          <select
            {...wiring}
            name={path}
            value={chosen}
            onChange={(event) => set(event.target.value || undefined)}
            className={`${boxLooks} ${height} appearance-none pr-8`}
          >
            {none && <option value="">{none}</option>}
            {Object.entries(offered).map(([option, words]) => (
              <option key={option} value={option}>
                {words}
              </option>
            ))}
          </select>
          <Icon
            name="unfold"
            className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-muted"
          />
        </div>
      )}
    </Field>
  )
}

/** Any number of a list of choices; the value is the list of the chosen ones. */
export function ChecksField({ path, label, hint, options }: SelectProps) {
  const { value, set, fault } = useField(path)
  const id = useId()
  const chosen = Array.isArray(value) ? value : []
  const toggle = (option: string) =>
    set(chosen.includes(option) ? chosen.filter((other) => other !== option) : [...chosen, option])
  return (
    <fieldset aria-describedby={hint || fault ? id : undefined}>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      <div className="max-h-48 divide-y divide-line overflow-y-auto rounded-md border border-edge bg-surface shadow-card">
        {Object.entries(options).map(([option, words]) => (
          <label key={option} className="flex items-center gap-2.5 px-3 py-2 hover:bg-hover">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              aria-invalid={fault !== undefined}
              onChange={() => toggle(option)}
              className="size-4 accent-accent"
            />
            <span className="truncate">{words}</span>
          </label>
        ))}
      </div>
      {(fault ?? hint) && (
        <p id={id} className={`mt-1.5 text-[0.8125rem] ${fault ? 'text-bad' : 'text-muted'}`}>
          {fault ?? hint}
        </p>
      )}
    </fieldset>
  )
}
