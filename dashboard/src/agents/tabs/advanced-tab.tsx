// The tab with the whole configuration as JSON, checked against the OpenAPI description while it is written.
import { voiceAddresses } from '@parley/contract/addresses'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo, useState } from 'react'
import { openApiDocument } from '../../api.ts'
import { useWhyNot } from '../../ui/controls/may.tsx'
import { LazyPart } from '../../ui/feedback/lazy-part.tsx'
import { ListSkeleton } from '../../ui/feedback/skeleton.tsx'
import { isTree, type Tree } from '../../ui/forms/tree.ts'

const CodeEditor = lazy(() => import('../code/code-editor.tsx'))

interface AdvancedTabProps {
  value: Tree
  isNew: boolean
  /** Gets the configuration when the text is valid, and otherwise what is wrong with it. */
  onChange(read: { value: Tree } | { broken: string }): void
}

export function AdvancedTab({ value, isNew, onChange }: AdvancedTabProps) {
  // Changes from other tabs are shown here; the user's own text stays as it was typed.
  const [start] = useState(() => JSON.stringify(value, null, 2))
  const [broken, setBroken] = useState<string>()
  const isReadOnly = useWhyNot(voiceAddresses.updateAgent) !== undefined
  const schema = useSchema(isNew ? 'AgentConfig' : 'AgentPatch')
  const change = (text: string) => {
    const read = readJson(text)
    setBroken('broken' in read ? read.broken : undefined)
    onChange(read)
  }
  return (
    <div className="space-y-2">
      <p className="text-[0.8125rem] text-muted">
        {isNew
          ? 'The agent_config that will be created.'
          : 'The agent_config. Saving sends only what changed; an update cannot remove a key, but null empties what may be empty.'}{' '}
        Hover over a name for its meaning; Ctrl+Space completes.
      </p>
      <LazyPart fallback={<ListSkeleton />}>
        <CodeEditor
          label="Agent configuration"
          start={start}
          schema={schema}
          isReadOnly={isReadOnly}
          onChange={change}
        />
      </LazyPart>
      <p role="status" className="min-h-5 text-[0.8125rem] text-bad">
        {broken}
      </p>
    </div>
  )
}

function useSchema(name: 'AgentConfig' | 'AgentPatch') {
  const { data } = useQuery({
    queryKey: ['openapi'],
    queryFn: openApiDocument,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(
    () => data && { schema: { $ref: `#/components/schemas/${name}` }, root: { components: data.components } },
    [data, name],
  )
}

function readJson(text: string): { value: Tree } | { broken: string } {
  try {
    const value: unknown = JSON.parse(text)
    return isTree(value) ? { value } : { broken: 'The configuration is one JSON object.' }
  } catch (error) {
    return { broken: `This is not valid JSON: ${(error as Error).message}` }
  }
}
