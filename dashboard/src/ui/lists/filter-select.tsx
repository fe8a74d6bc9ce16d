// A filter of a list with too many choices to show them all. The first one is no filter, and says what it would filter.
import { Icon } from '../controls/icons.tsx'

interface FilterSelectProps {
  label: string
  /** The words for no filter, as in "Any status". */
  any: string
  /** Labels by value. */
  options: Record<string, string>
  value: string | undefined
  onChoose(value: string | undefined): void
}

export function FilterSelect({ label, any, options, value, onChoose }: FilterSelectProps) {
  // A value from an address that this page does not offer is shown as it is.
  const offered = value === undefined || value in options ? options : { ...options, [value]: value }
  return (
    <span className="relative inline-flex max-w-full">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChoose(event.target.value || undefined)}
        className={`h-9 field-sizing-content max-w-56 min-w-0 appearance-none truncate rounded-md border bg-surface pr-7 pl-2.5 text-base font-medium shadow-card transition-colors hover:bg-hover sm:h-8 sm:text-[0.8125rem] ${
          value === undefined ? 'border-edge text-muted' : 'border-accent text-ink'
        }`}
      >
        <option value="">{any}</option>
        {Object.entries(offered).map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
      <Icon
        name="unfold"
        className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
