// What other features show of graphs.
import { lazy } from 'react'
import { Loaded } from '../ui/loaded.tsx'
import { FormSkeleton } from '../ui/skeleton.tsx'
import type { CallPathProps } from './call-path.tsx'

const Path = lazy(async () => ({ default: (await import('./call-path.tsx')).CallPath }))

/** The library that draws is loaded when it is needed. */
export function CallPath(props: CallPathProps) {
  return (
    <Loaded fallback={<FormSkeleton />}>
      <Path {...props} />
    </Loaded>
  )
}
