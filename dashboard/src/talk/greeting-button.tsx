// Plays the greeting of an agent, and stops it.
import type { dashboard } from '@parley/contract'
import { trialAddresses as trials } from '@parley/contract/addresses'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { type GreetingState, hearGreeting } from './greeting-call.ts'

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
