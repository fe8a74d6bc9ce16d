// Days of the week, each on or off, in one row.
import { useField } from '../ui/forms/form.tsx'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export function DaysField({ path, label }: { path: string; label: string }) {
  const { value, set, fault } = useField(path)
  const chosen = Array.isArray(value) ? value : []
  const toggle = (day: string) => set(days.filter((one) => chosen.includes(one) !== (one === day)))
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      <div className="grid grid-cols-4 gap-1.5 sm:grid-cols-7">
        {days.map((day) => (
          <label
            key={day}
            className="flex h-9 items-center justify-center rounded-md border border-edge text-[0.8125rem] font-medium text-muted capitalize shadow-card transition-colors select-none hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent sm:h-8"
          >
            <input
              type="checkbox"
              aria-label={day}
              checked={chosen.includes(day)}
              onChange={() => toggle(day)}
              className="sr-only"
            />
            {day.slice(0, 3)}
          </label>
        ))}
      </div>
      {fault && <p className="mt-1.5 text-[0.8125rem] text-bad">{fault}</p>}
    </fieldset>
  )
}
