// A part of a long page: what it is about on the left, the fields on the right.
import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  lead: ReactNode
  children: ReactNode
}

export function Section({ title, lead, children }: SectionProps) {
  return (
    // The layout goes by the width of the section: beside a docked panel there is less room than on the screen.
    <section className="@container border-t border-line py-7 first:border-t-0 first:pt-0">
      <div className="grid gap-x-10 gap-y-4 @2xl:grid-cols-[15rem_minmax(0,1fr)]">
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="mt-1 text-[0.8125rem] text-pretty text-muted">{lead}</p>
        </div>
        <div className="@container min-w-0 space-y-4">{children}</div>
      </div>
    </section>
  )
}

export function Pair({ children }: { children: ReactNode }) {
  return <div className="grid gap-4 @md:grid-cols-2">{children}</div>
}
