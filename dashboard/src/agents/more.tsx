// Settings that few people change, folded away. The fold opens by itself if one of them is at fault.
import { type ReactNode, useEffect, useState } from 'react'
import { useFaults } from '../ui/forms/form.tsx'
import type { Setting } from './setting.ts'
import { Settings } from './settings.tsx'

export function More({
  title,
  of,
  children,
}: {
  title: string
  of: readonly Setting[]
  children?: ReactNode
}) {
  const faults = useFaults()
  const [open, setOpen] = useState(false)
  const isAtFault = of.some(({ path }) => faults.some((fault) => fault.path === path))
  useEffect(() => {
    if (isAtFault) setOpen(true)
  }, [isAtFault])
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-lg border border-line"
    >
      <summary className="cursor-pointer rounded-lg px-3.5 py-2.5 text-[0.8125rem] font-medium hover:bg-hover">
        {title}
      </summary>
      <div className="space-y-4 border-t border-line p-3.5">
        <Settings of={of} />
        {children}
      </div>
    </details>
  )
}
