// Counts what a call uses: seconds, tokens, characters.
import type { CallUsage } from '../../ports/call.ts'

export class UsageMeter {
  #inputTokens = 0
  #outputTokens = 0
  #characters = 0

  tokens(input: number, output: number): void {
    this.#inputTokens += input
    this.#outputTokens += output
  }

  characters(count: number): void {
    this.#characters += count
  }

  total(sttSeconds: number): CallUsage {
    return {
      sttSeconds,
      llmInputTokens: this.#inputTokens,
      llmOutputTokens: this.#outputTokens,
      ttsCharacters: this.#characters,
    }
  }
}
