// The conversation: what was said, what is being said, what was cut off, and tools and notes in between.
import { useEffect, useRef } from 'react'
import { Icon } from '../ui/controls/icons.tsx'
import type { Entry, LiveView } from './live.ts'

interface ConversationProps {
  live: LiveView
  agentName: string
  begun: boolean
  /** The name of the caller. Left out: the user is the caller. */
  callerName?: string
}

export function Conversation({ live, agentName, begun, callerName = 'You' }: ConversationProps) {
  const { entries, saying, ended } = live
  const end = useRef<HTMLLIElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever there is more to show
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [entries, saying])
  if (!begun && entries.length === 0) return <Nothing />
  return (
    <ol aria-live="polite" className="min-h-40 flex-1 space-y-4 overflow-y-auto p-5 lg:p-6">
      {entries.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added
        <li key={at}>
          <Row entry={entry} agentName={agentName} callerName={callerName} />
        </li>
      ))}
      {saying.user && (
        <li>
          <Bubble of="user" name={callerName} pending>
            {saying.user}
          </Bubble>
        </li>
      )}
      {saying.agent && (
        <li>
          <Bubble of="agent" name={agentName} pending>
            {saying.agent}
          </Bubble>
        </li>
      )}
      {!ended && entries.length === 0 && !saying.agent && (
        <li className="pt-16 text-center text-muted">Waiting for the agent’s first words…</li>
      )}
      <li ref={end} aria-hidden="true" />
    </ol>
  )
}

interface RowProps {
  entry: Entry
  agentName: string
  callerName: string
}

function Row({ entry, agentName, callerName }: RowProps) {
  if (entry.is === 'note')
    return <p className="mx-auto max-w-lg text-center text-xs text-balance text-muted">{entry.text}</p>
  if (entry.is === 'tool') return <Tool entry={entry} />
  const { role, text, cut, interrupted } = entry
  // The partial words are paler than the rest, as far as the contrast allows.
  const quiet = role === 'agent' ? 'text-muted' : ''
  return (
    <Bubble of={role} name={role === 'agent' ? agentName : callerName}>
      {text}
      {cut && <s className={quiet}>{cut}</s>}
      {interrupted && <span className={`mt-1 block text-xs ${quiet}`}>interrupted</span>}
    </Bubble>
  )
}

interface BubbleProps {
  of: 'agent' | 'user'
  name: string
  pending?: boolean
  children: React.ReactNode
}

const looks = {
  agent: { said: 'bg-hover text-ink', pending: 'bg-hover text-muted' },
  user: { said: 'bg-accent text-white', pending: 'bg-accent-soft text-accent-ink' },
}

function Bubble({ of, name, pending = false, children }: BubbleProps) {
  const mine = of === 'user'
  return (
    <div className={`flex flex-col gap-1 ${mine ? 'items-end' : 'items-start'}`}>
      <span className="px-1 text-xs font-medium text-muted">{name}</span>
      <div
        className={`max-w-[85%] rounded-2xl px-3.5 py-2 wrap-anywhere ${mine ? 'rounded-tr-md' : 'rounded-tl-md'} ${looks[of][pending ? 'pending' : 'said']}`}
      >
        {children}
        {pending && <span aria-hidden="true"> …</span>}
      </div>
    </div>
  )
}

function Tool({ entry: { name, phase, detail } }: { entry: Extract<Entry, { is: 'tool' }> }) {
  const tone = phase === 'failed' ? 'text-bad' : 'text-muted'
  return (
    <div
      className={`mx-auto flex max-w-lg items-center gap-2 rounded-lg border border-line px-3 py-2 text-xs ${tone}`}
    >
      <Icon name="tool" className="size-3.5" />
      <code className="font-mono font-medium text-ink">{name}</code>
      <span>{phase}</span>
      {detail && <span className="truncate">{detail}</span>}
    </div>
  )
}

function Nothing() {
  return (
    <div className="flex flex-1 flex-col items-center justify-center px-6 py-16 text-center">
      <span className="mb-4 flex size-12 items-center justify-center rounded-full bg-accent-soft text-accent-ink">
        <Icon name="agents" className="size-6" />
      </span>
      <p className="font-semibold">The conversation appears here</p>
      <p className="mt-1 max-w-sm text-balance text-muted">
        Speak as you would on the telephone. You may interrupt; the agent stops and listens.
      </p>
    </div>
  )
}
