// A form that runs a tool for real with sample arguments and shows the answer.
import type { BodyOf, StoredTool, tryTool } from '@parley/contract'
import { voiceAddresses as voice } from '@parley/contract/addresses'
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { Form, useForm } from '../ui/forms/form.tsx'
import { JsonValueField } from '../ui/forms/json-value-field.tsx'
import type { Tree } from '../ui/forms/tree.ts'
import { Badge } from '../ui/words/badge.tsx'

interface TryToolProps {
  workspaceId: string
  tool: StoredTool
  unsaved: boolean
}

export function TryTool({ workspaceId, tool, unsaved }: TryToolProps) {
  const form = useForm<Tree>({ arguments: {} })
  const trial = useMutation({
    mutationFn: (values: Tree) => api.tryTool(workspaceId, tool.tool_id, values as BodyOf<typeof tryTool>),
  })
  const result = trial.data
  return (
    <section
      aria-label="Try it"
      className="mb-8 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5"
    >
      <h2 className="mb-3 font-semibold">Try it</h2>
      <Form form={form} error={trial.error} needs={voice.tryTool} onSubmit={(values) => trial.mutate(values)}>
        <JsonValueField
          path="arguments"
          label="Sample arguments"
          rows={3}
          hint="As the model would give them. The request is sent for real."
        />
        <div className="flex items-center gap-3">
          <Button type="submit" needs={voice.tryTool} busy={trial.isPending}>
            {trial.isPending ? 'Running…' : 'Run'}
          </Button>
          {unsaved && <p className="text-[0.8125rem] text-muted">Runs the tool as it is saved.</p>}
        </div>
      </Form>
      {result && !trial.isPending && (
        <div role="status" className="mt-4 space-y-3 border-t border-line pt-4">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={result.ok ? 'good' : 'bad'}>{result.ok ? 'It works' : 'It does not work'}</Badge>
            <span className="text-[0.8125rem] text-muted">
              {result.status !== null && `HTTP ${result.status}, `}
              {Math.round(result.duration_ms)} ms
            </span>
          </p>
          {result.faults.map((fault) => (
            <p key={fault} className="wrap-anywhere text-bad">
              {fault}
            </p>
          ))}
          <Output title="Answer" value={result.body} />
          <Output title="Variables" value={result.variables} />
          <Output title="Tools of the server" value={result.tools} />
          <Output title="Request" value={result.request} />
        </div>
      )}
    </section>
  )
}

function Output({ title, value }: { title: string; value: unknown }) {
  const empty = value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  if (empty) return null
  return (
    <div>
      <p className="text-xs font-medium text-muted">{title}</p>
      <pre className="mt-1 max-h-64 overflow-auto rounded-md bg-hover p-3 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap">
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  )
}
