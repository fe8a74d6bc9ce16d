// The sentences of agent-notices.ts, above the settings of an agent.
import { Icon } from '../ui/controls/icons.tsx'
import { noticesOf } from './agent-notices.ts'

interface AgentNoticeProps {
  config: unknown
  /** What the server said when the agent was saved last. */
  saved: readonly string[]
}

export function AgentNotice({ config, saved }: AgentNoticeProps) {
  const notices = noticesOf(config, new Date().toISOString().slice(0, 10), saved)
  if (notices.length === 0) return null
  return (
    <div role="status" className="flex gap-2.5 rounded-lg bg-wait-soft px-3.5 py-3 text-wait">
      <Icon name="alert" className="mt-0.5 size-4" />
      <ul className="min-w-0 flex-1 space-y-1">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </div>
  )
}
