// Talking to an agent: choose one, call, and watch the conversation as it is heard.
import type { Agent } from '@parley/contract'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { api } from '../api.ts'
import { CallRecord, Conversation, LatencyBars } from '../calls/calls.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon, Logo } from '../ui/controls/icons.tsx'
import { Booth, type StartCall } from './booth.tsx'
import { BrowserCall } from './browser-call.ts'
import { chosenDevices } from './devices.ts'

export function TalkPage() {
  const [call] = useState(() => new BrowserCall())
  const { stage, live } = useSyncExternalStore(call.watch, () => call.view)
  const [agent, setAgent] = useState<Agent>()
  const begin: StartCall = (workspaceId, agent, { typing } = { typing: false }) => {
    const { microphone, speaker } = chosenDevices()
    setAgent(agent)
    void call.start({
      workspaceId,
      microphone: typing ? undefined : microphone,
      speaker,
      place: async () => {
        const join = await api.startWebCall(workspaceId, agent.agent_id)
        return { session_id: join.session_id, join }
      },
    })
  }
  const begun = stage.is !== 'idle'
  return (
    <div className="flex min-h-dvh flex-col bg-rail lg:h-dvh">
      <title>Talk · Parley</title>
      <Header />
      <main className="mx-auto grid w-full max-w-6xl flex-1 gap-4 p-4 lg:min-h-0 lg:grid-cols-[20rem_minmax(0,1fr)] lg:gap-6 lg:p-6">
        <div className="flex min-h-0 flex-col gap-4 lg:-m-1 lg:overflow-y-auto lg:p-1">
          <Booth call={call} onCall={begin} />
          <LatencyBars turns={live.turns} />
        </div>
        <section
          aria-label="Conversation"
          className="flex min-h-96 flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-card lg:min-h-0"
        >
          <Conversation live={live} agentName={agent?.agent_config.agent_name || 'Agent'} begun={begun} />
          {stage.is === 'live' && <TypeBox onSend={(text) => call.type(text)} />}
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

// The longest text that the line accepts at once.
const longest = 2_000

function TypeBox({ onSend }: { onSend(text: string): void }) {
  const [text, setText] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  return (
    <form onSubmit={send} className="flex gap-2 border-t border-line p-3">
      <input
        aria-label="Type to the agent"
        value={text}
        maxLength={longest}
        autoComplete="off"
        placeholder="Type instead of speaking…"
        onChange={({ target }) => setText(target.value)}
        className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-surface px-3 text-base shadow-card sm:text-sm"
      />
      <Button type="submit" kind="primary" className="h-9!">
        Send
      </Button>
    </form>
  )
}
