// The button that plays the greeting of an agent and stops it. The greeting is said in a real call to this browser, so that the
// vendor, the dictionary and the reading of figures are those of every call.
import type { dashboard } from '@parley/contract'
import { trialAddresses as trials } from '@parley/contract/addresses'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { Line } from './line.ts'

interface GreetingButtonProps {
  workspaceId: string
  /** Asks the server for the call in which the greeting is said. */
  place(): Promise<dashboard.DraftCall>
  /** Why the greeting cannot be played. */
  whyNot?: string | undefined
  /** The layout around the button; what went wrong is shown below it. */
  children?(button: ReactNode): ReactNode
}

export function GreetingButton({
  workspaceId,
  place,
  whyNot,
  children = (button) => button,
}: GreetingButtonProps) {
  const [greeting, setGreeting] = useState<GreetingState>({ is: 'silent' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const isOn = greeting.is !== 'silent'
  const toggle = () => {
    if (isOn) return stop.current?.()
    stop.current = hearGreeting(workspaceId, place, setGreeting)
  }
  return (
    <>
      {children(
        <Button
          size="small"
          needs={trials.tryAgent}
          disabled={whyNot !== undefined}
          title={whyNot}
          aria-pressed={isOn}
          onClick={toggle}
        >
          <Icon name={isOn ? 'pause' : 'play'} className="size-3.5" />
          {greeting.is === 'connecting' ? 'Connecting…' : isOn ? 'Stop' : 'Hear it'}
        </Button>,
      )}
      {greeting.is === 'silent' && greeting.error && (
        <div className="mt-2">
          <RefusalNotice error={greeting.error} />
        </div>
      )}
      <p role="status" className="sr-only">
        {greeting.is === 'heard' ? 'The greeting is played.' : ''}
      </p>
    </>
  )
}

type GreetingState =
  | { readonly is: 'silent'; readonly error?: Error | undefined }
  | { readonly is: 'connecting' }
  | { readonly is: 'heard' }

const unheard = 'The agent could not say it. The record of this test, under Calls, says why.'
// The end of the greeting is still on its way to the loudspeaker when its transcript arrives.
const lastSoundMs = 500

/**
 * Starts the call and returns a function that ends it. Call it on a click: browsers play no sound otherwise. `place` asks the
 * server for the call.
 */
function hearGreeting(
  workspaceId: string,
  place: () => Promise<dashboard.DraftCall>,
  onChange: (greeting: GreetingState) => void,
): () => void {
  let line: Line | undefined
  let events: EventSource | undefined
  let isOver = false
  const end = (error?: Error) => {
    if (isOver) return
    isOver = true
    line?.hangUp()
    events?.close()
    onChange({ is: 'silent', error })
  }
  const begin = async () => {
    const { session_id, join } = await place()
    // The user has stopped it meanwhile.
    if (isOver || !join) return
    events = api.watchCall(workspaceId, session_id)
    events.addEventListener('transcript', ({ data }: MessageEvent<string>) => {
      if (JSON.parse(data).role === 'agent') setTimeout(end, lastSoundMs)
    })
    events.addEventListener('ended', ({ data }: MessageEvent<string>) => {
      if (JSON.parse(data).call_status === 'failed') end(new Error(unheard))
    })
    line = new Line(join, undefined, {
      onWay: () => onChange({ is: 'heard' }),
      onEnd: (fault) => end(fault === undefined ? undefined : new Error(fault)),
    })
  }
  onChange({ is: 'connecting' })
  begin().catch(end)
  return () => end()
}
