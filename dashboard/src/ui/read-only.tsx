// Fields that can be looked at by everybody, and changed only by those who may store them.
import type { Address } from '@parley/contract/addresses'
import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'
import { useWhyNot } from './may.tsx'

interface ReadOnlyUnlessProps {
  /** The operation that stores the fields. */
  may: Pick<Address, 'access'>
  /** As in "this agent". */
  what: string
  children: ReactNode
}

export function ReadOnlyUnless({ may, what, children }: ReadOnlyUnlessProps) {
  const whyNot = useWhyNot(may)
  if (whyNot === undefined) return children
  return (
    <>
      <p className="mb-6 flex gap-2.5 rounded-lg bg-hover px-3.5 py-3">
        <Icon name="alert" className="mt-0.5 size-4 text-muted" />
        <span>
          You can look at {what}, but not change it. {whyNot}
        </span>
      </p>
      <fieldset disabled title={whyNot} className="min-w-0">
        {children}
      </fieldset>
    </>
  )
}
