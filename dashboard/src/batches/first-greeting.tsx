// The greeting that the first recipient will hear, as text and as sound.
import { api } from '../api.ts'
import { GreetingButton } from '../talk/talk.ts'
import { filledGreeting } from './column-mapping.ts'
import type { CsvPreview } from './csv-preview.ts'

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
  const place = () => {
    const given = columns.map((column, at) => [column, cells[at]?.trim() ?? ''] as const)
    const variables = Object.fromEntries(given.filter(([, value]) => value !== ''))
    return api.tryAgent(workspaceId, agentId, { agent_config: {}, variables })
  }
  return (
    <figure className="rounded-lg bg-hover px-3.5 py-3">
      <GreetingButton workspaceId={workspaceId} place={place}>
        {(button) => (
          <div className="flex items-center justify-between gap-3">
            <figcaption className="text-xs font-medium text-muted">The first recipient hears</figcaption>
            {button}
          </div>
        )}
      </GreetingButton>
      <blockquote className="mt-1 wrap-anywhere">{text}</blockquote>
      {missing.length > 0 && (
        <p role="alert" className="mt-2 text-[0.8125rem] text-bad">
          Row 1 has no value for {missing.join(', ')}: the placeholder stays empty.
        </p>
      )}
    </figure>
  )
}
