// The weights for a test: from the local cache, or downloaded once if a registry is reachable.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '../../../src/engines/models/catalogue.ts'
import { fetchModel, hasModel } from '../../../src/engines/models/fetch-model.ts'

export interface ModelsAtHand {
  readonly folder: string
  /** Why the tests that need the weights are skipped. */
  readonly absent: string | undefined
}

const usualFolder = join(homedir(), '.cache', 'parley-models')

export async function modelsAtHand(
  given: string | undefined,
  ...models: readonly Model[]
): Promise<ModelsAtHand> {
  const folder = given ?? usualFolder
  try {
    for (const model of models) await fetchModel(model, { folder })
    return { folder, absent: undefined }
  } catch (error) {
    return { folder, absent: error instanceof Error ? error.message : String(error) }
  }
}

/** The same for weights that are too large to download for a test. */
export async function modelsIfPresent(
  given: string | undefined,
  ...models: readonly Model[]
): Promise<ModelsAtHand> {
  const folder = given ?? usualFolder
  for (const model of models) {
    if (!(await hasModel(model, folder))) {
      return { folder, absent: `the model ${model.name} is not in the cache; make models fetches it` }
    }
  }
  return { folder, absent: undefined }
}
