// The language models that agents can think with here: the operator's, and the vendors by name.
import type { ModelsHere } from '@parley/contract'
import type { ModelCatalogue } from '../../ports/model-catalogue.ts'

export function models({ installed, vendors }: ModelCatalogue) {
  const [model, ...fallback] = installed?.models ?? []
  const here: ModelsHere = {
    default: installed && model ? { provider: installed.provider, model, fallback } : null,
    providers: vendors.map(({ name, label, baseUrl, isReady, promptCache }) => ({
      provider: name,
      label,
      base_url: baseUrl ?? null,
      is_ready: isReady,
      prompt_cache: promptCache,
    })),
  }
  return { list: (): ModelsHere => here }
}

export type Models = ReturnType<typeof models>
