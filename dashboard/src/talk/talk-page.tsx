// Talking to an agent: choose one, call, and watch the conversation as it is heard.
import { useState, useSyncExternalStore } from 'react'
import { CallRecord, Conversation, LatencyBars } from '../calls/calls.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Icon, Logo } from '../ui/controls/icons.tsx'
import { Booth } from './booth.tsx'
import { Phone } from './phone.ts'
import { TypeBox } from './type-box.tsx'

export function TalkPage() {
  const [phone] = useState(() => new Phone())
  const { stage, agent, live } = useSyncExternalStore(phone.watch, () => phone.view)
  const begun = stage.is !== 'idle'
  return (
    <div className="flex min-h-dvh flex-col bg-rail lg:h-dvh">
      <title>Talk · Parley</title>
      <Header />
      <main className="mx-auto grid w-full max-w-6xl flex-1 gap-4 p-4 lg:min-h-0 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-6 lg:p-6">
        <div className="flex min-h-0 flex-col gap-4 lg:-m-1 lg:overflow-y-auto lg:p-1">
          <Booth phone={phone} />
          <LatencyBars turns={live.turns} />
        </div>
        <section
          aria-label="Conversation"
          className="flex min-h-96 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-card lg:min-h-0"
        >
          <Conversation live={live} agentName={agent?.agent_config.agent_name || 'Agent'} begun={begun} />
          {stage.is === 'talking' && <TypeBox onSend={(text) => phone.type(text)} />}
          {stage.is === 'over' && <CallRecord record={stage.record} live={live} />}
        </section>
      </main>
    </div>
  )
}

function Header() {
  const { current } = useWorkspaces()
  return (
    <header className="flex h-14 items-center gap-2.5 border-b border-line bg-surface px-4 lg:px-6">
      <Logo />
      <h1 className="text-[0.9375rem] font-semibold tracking-tight">Talk to an agent</h1>
      {current && <span className="hidden text-muted sm:inline">· {current.name}</span>}
      <a
        href="/dashboard/"
        className="ml-auto inline-flex items-center gap-1 rounded text-[0.8125rem] font-medium text-muted hover:text-ink"
      >
        Dashboard
        <Icon name="next" className="size-3.5" />
      </a>
    </header>
  )
}
