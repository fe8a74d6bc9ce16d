// What the engine asks of anything that runs an agent's own tools.
import type { ToolCall, ToolDescription } from './language-model.ts'

export interface ToolBox {
  readonly descriptions: readonly ToolDescription[]
  /** A sentence to say while the tool runs, if its owner wrote one. */
  waitingWords(name: string): string | undefined
  /** What the model is to read. A tool that fails answers with the reason; only an aborted one throws. */
  run(call: ToolCall, signal: AbortSignal): Promise<string>
}
