// What the engine asks of anything that decides what to say next.
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** The calls that an assistant's message made. */
  readonly toolCalls?: readonly ToolCall[]
  /** Which of them this message of a tool answers. */
  readonly toolCallId?: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it: parse it and expect the worst. */
  readonly arguments: string
}

export interface ToolDescription {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ToolDescription[]
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** Which node of a graph speaks from here on. */
  | { readonly type: 'node'; readonly nodeId: string }
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }

export interface LanguageModel {
  /** Parts as they come. Ends quietly when the signal aborts; throws one sentence when the model fails. */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Knows by itself whether the conversation is over; a model without it is asked in words. */
  isOver?(messages: readonly ChatMessage[]): boolean
}
