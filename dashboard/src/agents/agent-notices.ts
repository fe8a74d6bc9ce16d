// What is told about an agent that can be saved as it is: models of its that end, and what the server said when it was
// saved last.
import { modelEndSentence } from '@parley/contract/model-ends'
import { namedModels } from '@parley/contract/named-models'

/** Sentences, each once. `today`: as in 2026-11-19. */
export function noticesOf(config: unknown, today: string, saved: readonly string[]): readonly string[] {
  const ends = namedModels(config).flatMap(({ provider, model }) => {
    const sentence = modelEndSentence(provider, model, today)
    return sentence === undefined ? [] : [sentence]
  })
  return [...new Set([...ends, ...saved])]
}
