// The port for whatever runs an agent's own tools.
import type { ToolCall, ToolDescription } from './language-model.ts'

export interface ToolBox {
  readonly descriptions: readonly ToolDescription[]
  /** A sentence to say while the tool runs, if its owner wrote one. */
  waitingWords(name: string): string | undefined
  /** The result for the model. A tool that fails returns the reason; only an aborted one throws. */
  run(call: ToolCall, signal: AbortSignal): Promise<string>
}
