// Listens in to a running call, and says that this is noted.
import { type Access, listenRole } from '@parley/contract/addresses'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { type ListeningState, listenIn } from './listen.ts'
import type { CallPlace } from './use-call.ts'

const needs: { access: Access } = { access: listenRole }

const words: Record<ListeningState['is'], string> = {
  off: 'Listen in',
  connecting: 'Waiting for sound…',
  listening: 'Stop listening',
  over: 'Listen in',
}

export function ListenButton({ place }: { place: CallPlace }) {
  const [hearing, setHearing] = useState<ListeningState>({ is: 'off' })
  const stop = useRef<() => void>(undefined)
  const { workspaceId, sessionId } = place
  // biome-ignore lint/correctness/useExhaustiveDependencies: another call is listened to only when it is asked for
  useEffect(() => () => stop.current?.(), [workspaceId, sessionId])
  const isOn = hearing.is === 'connecting' || hearing.is === 'listening'
  const toggle = () => {
    if (isOn) return stop.current?.()
    stop.current = listenIn(place, setHearing)
  }
  return (
    <>
      <Button needs={needs} aria-pressed={isOn} onClick={toggle}>
        <Icon name={isOn ? 'close' : 'speaker'} />
        {words[hearing.is]}
      </Button>
      <span role="status" className="sr-only">
        {hearing.is === 'listening' && 'You are listening in. It is noted in the record of the call.'}
      </span>
      {hearing.is === 'over' && hearing.why && (
        <p role="alert" className="w-full text-[0.8125rem] text-bad">
          {hearing.why}
        </p>
      )}
    </>
  )
}
