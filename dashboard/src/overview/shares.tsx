// Parts of a whole, the largest first, each leading to its calls.
import { useState } from 'react'
import { Link } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'

export interface Share {
  readonly words: string
  readonly to: string
  readonly calls: number
  /** What else is known of it, in a few words. */
  readonly more?: string
}

// The number of parts that are shown; few people compare more.
const shownRows = 8

export function Shares({ of, rows }: { of: number; rows: readonly Share[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ul className="space-y-2">
        {rows.slice(0, isOpen ? rows.length : shownRows).map((row) => (
          <li key={row.words + row.to}>
            <Row of={of} {...row} />
          </li>
        ))}
      </ul>
      {rows.length > shownRows && (
        <Button
          size="small"
          kind="quiet"
          className="mt-2 -ml-2"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Fewer' : `${(rows.length - shownRows).toLocaleString('en')} more`}
        </Button>
      )}
    </>
  )
}

function Row({ of, words, to, calls, more }: Share & { of: number }) {
  const percent = Math.round((calls / of) * 100)
  return (
    <Link to={to} className="group block rounded">
      <span className="flex justify-between gap-3 text-[0.8125rem]">
        <span className="truncate group-hover:underline">{words}</span>
        <span className="shrink-0 text-muted tabular-nums">
          {calls.toLocaleString('en')}
          <span className="ml-2 inline-block w-12 text-right whitespace-nowrap">{percent} %</span>
        </span>
      </span>
      <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded-full bg-hover">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      {more && <span className="mt-1 block text-xs text-muted tabular-nums">{more}</span>}
    </Link>
  )
}
