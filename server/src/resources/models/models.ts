// The language models that agents can think with here: the operator's, and the vendors by name.
import type { ModelsHere } from '@parley/contract'
import type { ModelCatalogue } from '../../ports/language-model.ts'

/** `keysOf`: the vendors that a workspace has stored keys for. */
export function models(
  { installed, vendors }: ModelCatalogue,
  keysOf: (workspaceId: string) => Promise<ReadonlySet<string>>,
) {
  const [model, ...fallback] = installed?.models ?? []
  const here = (keys: ReadonlySet<string>): ModelsHere => ({
    default: installed && model ? { provider: installed.provider, model, fallback } : null,
    providers: vendors.map(({ name, label, baseUrl, isReady, promptCache }) => ({
      provider: name,
      label,
      base_url: baseUrl ?? null,
      is_ready: isReady || keys.has(name),
      prompt_cache: promptCache,
    })),
  })
  return { list: async (workspaceId: string) => here(await keysOf(workspaceId)) }
}

export type Models = ReturnType<typeof models>
