// The fields of a form that offer choices, each bound to a path of its values.
import { useId } from 'react'
import { Field } from './field.tsx'
import { type LabelledProps, text } from './fields.tsx'
import { useField } from './form.tsx'
import { SelectBox } from './select-box.tsx'

interface SelectProps extends LabelledProps {
  /** Labels by value. */
  options: Record<string, string>
  /** The label for no choice. */
  none?: string
  /** What no choice means. */
  blank?: '' | null
}

export function SelectField({ path, label, hint, options, none, blank }: SelectProps) {
  const { value, set, fault } = useField(path)
  const chosen = text(value)
  // A value that was set over the API is shown even if this page does not offer it.
  const offered = chosen === '' || chosen in options ? options : { ...options, [chosen]: chosen }
  return (
    <Field label={label} hint={hint} fault={fault}>
      {(wiring) => (
        <SelectBox
          {...wiring}
          name={path}
          value={chosen}
          options={offered}
          none={none}
          onChange={(event) => set(event.target.value || blank)}
        />
      )}
    </Field>
  )
}

/** A field for several choices. Its value is the list of the chosen ones, or the word that stands for all of them. */
export function ChecksField({ path, label, hint, options, every }: SelectProps & { every?: string }) {
  const { value, set, fault } = useField(path)
  const id = useId()
  const listed = Array.isArray(value) ? value : []
  const chosen = every !== undefined && value === every ? Object.keys(options) : listed
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

/** A field for yes or no. */
export function CheckField({ path, label, hint }: LabelledProps) {
  const { value, set, fault } = useField(path)
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        name={path}
        checked={value === true}
        aria-invalid={fault !== undefined}
        aria-describedby={hint || fault ? `${id}-said` : undefined}
        onChange={({ target }) => set(target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-[0.8125rem] font-medium">
          {label}
        </label>
        {(fault ?? hint) && (
          <p id={`${id}-said`} className={`text-[0.8125rem] ${fault ? 'text-bad' : 'text-muted'}`}>
            {fault ?? hint}
          </p>
        )}
      </div>
    </div>
  )
}
