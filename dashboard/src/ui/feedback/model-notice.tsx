// Says that no language model is connected, and how to connect one.
import type { Agent, ModelsHere } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Icon } from '../controls/icons.tsx'
import { valueAt } from '../forms/tree.ts'

/** The language models of the workspace. Undefined while loading. */
export function useModels(workspaceId: string): ModelsHere | undefined {
  const { data } = useQuery({
    queryKey: ['models', workspaceId],
    queryFn: () => api.models(workspaceId),
    enabled: workspaceId !== '',
  })
  return data
}

/** Whether an agent names a model of its own, instead of using that of the installation. */
export const hasOwnModel = ({ agent_config }: Pick<Agent, 'agent_config'>) =>
  ['provider', 'base_url'].some((key) => valueAt(agent_config, `llm_agent.llm_config.${key}`))

export function ModelNotice() {
  return (
    <div role="note" className="flex gap-2.5 rounded-lg bg-hover px-3.5 py-3 text-[0.8125rem]">
      <Icon name="alert" className="mt-0.5 size-4 text-muted" />
      <div className="min-w-0 flex-1 space-y-1">
        <p className="font-medium">No language model is connected.</p>
        <p className="text-muted">
          The built-in dialogue policy answers instead, and it follows simple prompts only. Connect a model
          for all agents with <code className="font-mono text-xs">PARLEY_LLM_PROVIDER</code>,{' '}
          <code className="font-mono text-xs">PARLEY_LLM_MODEL</code> and{' '}
          <code className="font-mono text-xs">PARLEY_LLM_API_KEY</code>, or for one agent with its provider,
          model and key.{' '}
          <a href="/docs/guide/language-models" target="_blank" rel="noreferrer" className="underline">
            How to connect one
          </a>
        </p>
      </div>
    </div>
  )
}
