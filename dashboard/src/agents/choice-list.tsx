// A field that chooses things of the workspace by their ids. The id of a thing that was deleted stays listed, so that it can
// be removed.
import type { ReactNode } from 'react'
import { Link } from '../router.tsx'
import { useField } from '../ui/forms/form.tsx'

interface ChoiceListProps {
  path: string
  label: string
  items: readonly { id: string; name: string; about: string; badge?: ReactNode; to?: string }[]
  /** Tells what to do where there is nothing to choose. */
  empty: ReactNode
}

export function ChoiceList({ path, label, items, empty }: ChoiceListProps) {
  const { value, set, fault } = useField(path)
  const chosen: string[] = Array.isArray(value) ? value.map(String) : []
  const gone = chosen.filter((id) => !items.some((item) => item.id === id))
  const all = [
    ...items,
    ...gone.map((id) => ({ id, name: id, about: 'No longer there', badge: undefined, to: undefined })),
  ]
  const toggle = (id: string) =>
    set(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  if (all.length === 0) return <p className="text-muted">{empty}</p>
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {all.map(({ id, name, about, badge, to }) => (
          <li key={id} className="flex items-start gap-2.5 px-3.5 py-2.5">
            <label className="flex min-w-0 flex-1 items-start gap-2.5">
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                aria-invalid={fault !== undefined}
                onChange={() => toggle(id)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                  {name}
                  {badge}
                </span>
                <span className="line-clamp-2 text-[0.8125rem] wrap-anywhere text-muted">{about}</span>
              </span>
            </label>
            {to && (
              <Link
                to={to}
                aria-label={`Open ${name}`}
                className="rounded text-[0.8125rem] text-accent-ink hover:underline"
              >
                Open
              </Link>
            )}
          </li>
        ))}
      </ul>
      {fault && <p className="mt-1.5 text-[0.8125rem] text-bad">{fault}</p>}
    </fieldset>
  )
}
