// The status of the call in one line, or why it failed.
import type { LiveView } from '../calls/calls.ts'
import { Icon } from '../ui/controls/icons.tsx'
import { Badge, type Tone } from '../ui/words/badge.tsx'
import { SandboxBadge } from '../ui/words/sandbox-badge.tsx'
import type { BrowserCallView, CallStage } from './browser-call.ts'

export function StatusLine({ view: { stage, live, error } }: { view: BrowserCallView }) {
  if (error)
    return (
      <p role="alert" className="flex gap-2 rounded-lg bg-bad-soft px-3 py-2.5 text-[0.8125rem] text-bad">
        <Icon name="alert" className="mt-0.5 size-3.5" />
        {error.message}
      </p>
    )
  const [tone, words, more] = wordsFor(stage, live)
  return (
    <p role="status" className="flex min-h-6 flex-wrap items-center gap-2 text-[0.8125rem] text-muted">
      <Badge tone={tone} dot>
        {words}
      </Badge>
      {live.sandbox && <SandboxBadge />}
      {more}
    </p>
  )
}

function wordsFor(stage: CallStage, { status, saying }: LiveView): [Tone, string, string] {
  switch (stage.is) {
    case 'idle':
      return ['off', 'Ready', 'Your browser will ask for the microphone.']
    case 'connecting':
      return ['wait', 'Connecting', 'One moment.']
    case 'live':
      if (status !== 'in-progress') return ['wait', 'Getting ready', 'The agent speaks in a moment.']
      return [
        'good',
        saying.agent ? 'Speaking' : 'Listening',
        stage.way === 'webrtc' ? 'over WebRTC' : 'over WebSocket',
      ]
    case 'over':
      return ['off', 'Call ended', '']
  }
}
