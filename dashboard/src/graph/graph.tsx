// What other features show of graphs.
import { lazy, Suspense } from 'react'
import { FormSkeleton } from '../ui/skeleton.tsx'
import type { CallPathProps } from './call-path.tsx'

const Path = lazy(async () => ({ default: (await import('./call-path.tsx')).CallPath }))

/** The library that draws is loaded when it is needed. */
export function CallPath(props: CallPathProps) {
  return (
    <Suspense fallback={<FormSkeleton />}>
      <Path {...props} />
    </Suspense>
  )
}
