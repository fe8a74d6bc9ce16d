// The weights for a test: from the cache of this machine, fetched once if there is a registry.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../models/catalogue.ts'
import { fetchModel } from '../models/fetch-model.ts'

export interface ModelsAtHand {
  readonly folder: string
  /** Why the tests that need them are skipped. */
  readonly absent: string | undefined
}

export async function modelsAtHand(
  given: string | undefined,
  ...models: readonly Model[]
): Promise<ModelsAtHand> {
  const folder = given ?? join(homedir(), '.cache', 'parley-models')
  try {
    for (const model of models) await fetchModel(model, { folder })
    return { folder, absent: undefined }
  } catch (error) {
    return { folder, absent: error instanceof Error ? error.message : String(error) }
  }
}
