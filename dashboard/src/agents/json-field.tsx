// The whole configuration as JSON, for everything that the form does not show.
import { useState } from 'react'
import { boxLooks, Field } from '../ui/field.tsx'
import { isTree, type Tree } from '../ui/tree.ts'

interface JsonFieldProps {
  value: Tree
  /** Called with the configuration as soon as the text is one, and otherwise with what is wrong with it. */
  onChange(read: { value: Tree } | { broken: string }): void
  hint: string
}

export function JsonField({ value, onChange, hint }: JsonFieldProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const read = readJson(text)
  const change = (next: string) => {
    setText(next)
    onChange(readJson(next))
  }
  return (
    <Field label="Agent configuration" hint={hint} fault={'broken' in read ? read.broken : undefined}>
      {(wiring) => (
        <textarea
          {...wiring}
          rows={28}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => change(event.target.value)}
          className={`${boxLooks} py-3 font-mono leading-relaxed whitespace-pre sm:text-[0.8125rem]`}
        />
      )}
    </Field>
  )
}

function readJson(text: string): { value: Tree } | { broken: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isTree(value) ? { value } : { broken: 'The configuration is one JSON object.' }
  } catch (error) {
    return { broken: `This is not valid JSON: ${(error as Error).message}` }
  }
}
