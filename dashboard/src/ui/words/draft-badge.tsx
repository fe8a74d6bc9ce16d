// Marks a call that tried an agent with changes that were not saved.
import { Badge } from './badge.tsx'

export function DraftBadge() {
  return (
    <Badge tone="accent" title="A test of changes to the agent that were not saved">
      Test
    </Badge>
  )
}
