// What the first recipient hears, to be read and to be heard.
import { trialAddresses as trials } from '@parley/contract/addresses'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { RefusalNotice } from '../ui/refusal-notice.tsx'
import { filledGreeting } from './column-mapping.ts'
import type { CsvPreview } from './csv-preview.ts'
import { type Greeting, hearGreeting } from './greeting-call.ts'

interface FirstGreetingProps {
  workspaceId: string
  agentId: string
  welcome: string
  preview: CsvPreview
}

export function FirstGreeting({ workspaceId, agentId, welcome, preview }: FirstGreetingProps) {
  const { columns, first } = preview
  const cells = first[0] ?? []
  const { text, missing } = filledGreeting(welcome, columns, cells)
  const [greeting, setGreeting] = useState<Greeting>({ is: 'silent' })
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])
  const isOn = greeting.is !== 'silent'
  const toggle = () => {
    if (isOn) return stop.current?.()
    const given = columns.map((column, at) => [column, cells[at]?.trim() ?? ''] as const)
    const variables = Object.fromEntries(given.filter(([, value]) => value !== ''))
    stop.current = hearGreeting(workspaceId, agentId, variables, setGreeting)
  }
  return (
    <figure className="rounded-lg bg-hover px-3.5 py-3">
      <div className="flex items-center justify-between gap-3">
        <figcaption className="text-xs font-medium text-muted">The first recipient hears</figcaption>
        <Button size="small" needs={trials.tryAgent} aria-pressed={isOn} onClick={toggle}>
          <Icon name={isOn ? 'pause' : 'play'} className="size-3.5" />
          {greeting.is === 'connecting' ? 'Connecting…' : isOn ? 'Stop' : 'Hear it'}
        </Button>
      </div>
      <blockquote className="mt-1 wrap-anywhere">{text}</blockquote>
      {missing.length > 0 && (
        <p role="alert" className="mt-2 text-[0.8125rem] text-bad">
          Row 1 has no value for {missing.join(', ')}: the placeholder stays empty.
        </p>
      )}
      {greeting.is === 'silent' && greeting.error && (
        <div className="mt-2">
          <RefusalNotice error={greeting.error} />
        </div>
      )}
      <p role="status" className="sr-only">
        {greeting.is === 'heard' ? 'The greeting is played.' : ''}
      </p>
    </figure>
  )
}
