// How far something is, from 0 to 1.
export function Progress({ label, share }: { label: string; share: number }) {
  const percent = Math.round(share * 100)
  return (
    <div className="flex items-center gap-3">
      <progress aria-label={label} value={percent} max={100} className="sr-only" />
      <div aria-hidden="true" className="h-1.5 min-w-16 flex-1 overflow-hidden rounded-full bg-line">
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-500"
          style={{ width: `${percent}%` }}
        />
      </div>
      <span className="w-9 text-right text-[0.8125rem] text-muted tabular-nums">{percent} %</span>
    </div>
  )
}
