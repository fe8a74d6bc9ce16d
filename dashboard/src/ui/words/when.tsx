// A point in time as people say it, with the exact time in the tooltip.
const units = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' })

export function When({ at }: { at: string | null }) {
  if (at === null) return 'never'
  const moment = new Date(at)
  return (
    <time dateTime={at} title={exact.format(moment)} className="whitespace-nowrap">
      {said((moment.getTime() - Date.now()) / 1000)}
    </time>
  )
}

function said(seconds: number): string {
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  return unit && size ? ago.format(Math.trunc(seconds / size), unit) : 'just now'
}

/** A point in time with seconds, as in a log. */
export function ExactTime({ at }: { at: string }) {
  return <time dateTime={at}>{exact.format(new Date(at))}</time>
}

/** A point in time for a table cell, which starts with a capital letter. */
export function WhenCell({ at }: { at: string | null }) {
  return (
    <span className="inline-block text-muted first-letter:uppercase">
      <When at={at} />
    </span>
  )
}
