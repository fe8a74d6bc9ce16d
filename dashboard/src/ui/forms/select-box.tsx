// A list of choices that looks like every other field.
import type { ComponentProps } from 'react'
import { Icon } from '../controls/icons.tsx'
import { boxLooks } from './field.tsx'
import { height } from './fields.tsx'

interface SelectBoxProps extends Omit<ComponentProps<'select'>, 'children' | 'className'> {
  /** Labels by value. */
  options: Readonly<Record<string, string>>
  /** The label for no choice. Left out: something is always chosen. */
  none?: string | undefined
  /** Values that are shown but cannot be chosen. */
  isClosed?(option: string): boolean
}

export function SelectBox({ options, none, isClosed = () => false, ...props }: SelectBoxProps) {
  return (
    <div className="relative">
      <select {...props} className={`${boxLooks} ${height} appearance-none truncate pr-8!`}>
        {none && <option value="">{none}</option>}
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option} disabled={isClosed(option)}>
            {words}
          </option>
        ))}
      </select>
      <Icon
        name="unfold"
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-muted"
      />
    </div>
  )
}
