// What other features show of graphs.
import { lazy } from 'react'
import { LazyPart } from '../ui/feedback/lazy-part.tsx'
import { FormSkeleton } from '../ui/feedback/skeleton.tsx'
import type { CallPathProps } from './call-path.tsx'

const Path = lazy(async () => ({ default: (await import('./call-path.tsx')).CallPath }))

/** The path of a call. The library that draws it is loaded when it is first shown. */
export function CallPath(props: CallPathProps) {
  return (
    <LazyPart fallback={<FormSkeleton />}>
      <Path {...props} />
    </LazyPart>
  )
}
