// Counts what a call uses: seconds, tokens, characters.
import type { CallUsage, UsageOfModel } from '../../ports/call.ts'
import type { ModelUsage } from '../../ports/language-model.ts'

export class UsageMeter {
  readonly #models = new Map<string, UsageOfModel>()
  #characters = 0
  #cachedCharacters = 0

  request(usage: ModelUsage): void {
    const { provider, model, isAborted } = usage
    const key = JSON.stringify([provider, model])
    const so = this.#models.get(key) ?? nothingOf(provider, model)
    this.#models.set(key, {
      provider,
      model,
      requests: so.requests + 1,
      abortedRequests: so.abortedRequests + (isAborted ? 1 : 0),
      inputTokens: so.inputTokens + usage.inputTokens,
      outputTokens: so.outputTokens + usage.outputTokens,
      cachedTokens: so.cachedTokens + usage.cachedTokens,
      cacheWriteTokens: so.cacheWriteTokens + usage.cacheWriteTokens,
    })
  }

  characters(count: number): void {
    this.#characters += count
  }

  /** Counts the characters that were played from the speech cache. */
  cachedCharacters(count: number): void {
    this.#characters -= count
    this.#cachedCharacters += count
  }

  total(sttSeconds: number): CallUsage {
    const models = [...this.#models.values()]
    return {
      sttSeconds,
      llmInputTokens: models.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      llmOutputTokens: models.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      ttsCharacters: this.#characters,
      ttsCachedCharacters: this.#cachedCharacters,
      models,
    }
  }
}

const nothingOf = (provider: string, model: string): UsageOfModel => ({
  provider,
  model,
  requests: 0,
  abortedRequests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
})
