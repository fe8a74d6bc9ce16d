// Placeholders while something is loading.
const bar = 'rounded bg-hover motion-safe:animate-pulse'

export function ListSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="divide-y divide-line rounded-xl border border-line">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <div key={row} className="flex items-center gap-6 px-4 py-4">
          <div className={`h-3.5 w-48 ${bar}`} />
          <div className={`h-3.5 w-16 ${bar}`} />
          <div className={`ml-auto hidden h-3.5 w-24 sm:block ${bar}`} />
        </div>
      ))}
    </div>
  )
}

export function FormSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="space-y-8">
      <div className={`h-6 w-56 ${bar}`} />
      <div className={`h-40 w-full ${bar}`} />
      <div className={`h-64 w-full ${bar}`} />
    </div>
  )
}
