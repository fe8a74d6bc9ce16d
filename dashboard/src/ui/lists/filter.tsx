// Filters a list. The choice is in the address, so that it can be shared and the back button works.
import { Link } from '../../router.tsx'

interface FilterProps {
  label: string
  /** The link and label of each choice, and whether it is the current one. */
  choices: readonly { to: string; words: string; chosen: boolean }[]
}

export function Filter({ label, choices }: FilterProps) {
  return (
    <nav aria-label={label} className="sm:-mr-2">
      <ul className="flex flex-wrap">
        {choices.map(({ to, words, chosen }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={chosen || undefined}
              className="flex h-8 items-center rounded-md px-2 text-[0.8125rem] font-medium text-muted transition-colors hover:text-ink aria-current:bg-line/80 aria-current:text-ink sm:h-7"
            >
              {words}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
