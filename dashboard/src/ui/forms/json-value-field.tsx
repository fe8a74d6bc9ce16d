// A field whose value is JSON, written as text. What is not JSON yet is sent as it is, so that the server says what is wrong.
import { useState } from 'react'
import { boxLooks, Field } from './field.tsx'
import type { LabelledProps } from './fields.tsx'
import { useField } from './form.tsx'

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

const read = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

export function JsonValueField({
  path,
  label,
  hint,
  rows,
  placeholder,
}: LabelledProps & { rows: number; placeholder?: string }) {
  const { value, set, fault } = useField(path)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? shown(value)
  const broken = text.trim() !== '' && typeof read(text) === 'string' ? 'This is not JSON yet.' : undefined
  return (
    <Field label={label} hint={hint} fault={fault ?? broken}>
      {(wiring) => (
        <textarea
          {...wiring}
          name={path}
          rows={rows}
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value)
            set(read(target.value))
          }}
          className={`${boxLooks} py-2 font-mono leading-relaxed sm:text-[0.8125rem]`}
        />
      )}
    </Field>
  )
}
