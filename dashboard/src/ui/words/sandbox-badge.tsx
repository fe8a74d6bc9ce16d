// Marks what is simulated, so that nobody takes it for a real call.
import { Badge } from './badge.tsx'

const explanation = 'Simulated: nobody is really called'

interface SandboxBadgeProps {
  /** For a list: how many of its items are simulated. None: no badge. */
  share?: { simulated: number; all: number }
}

export function SandboxBadge({ share }: SandboxBadgeProps) {
  if (share?.simulated === 0) return null
  const part = share && share.simulated < share.all
  return (
    <Badge tone="wait" title={explanation}>
      {part
        ? `Sandbox: ${share.simulated.toLocaleString('en')} of ${share.all.toLocaleString('en')}`
        : 'Sandbox'}
    </Badge>
  )
}
