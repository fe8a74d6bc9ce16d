// Facts about an item, as names and values.
import type { ReactNode } from 'react'

export function Facts({ facts }: { facts: Record<string, ReactNode> }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs font-medium text-muted">{name}</dt>
          <dd className="mt-0.5 text-balance wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Card({ children }: { children: ReactNode }) {
  return (
    <div className="divide-y divide-line rounded-xl border border-line bg-surface shadow-card *:px-4 *:py-4 sm:*:px-5">
      {children}
    </div>
  )
}
