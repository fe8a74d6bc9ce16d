// The port for whatever decides what to say next.
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  /** The tool calls of an assistant message. */
  readonly toolCalls?: readonly ToolCall[]
  /** The tool call that this tool message answers. */
  readonly toolCallId?: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  /** JSON as the model wrote it, possibly invalid. */
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
  /** A question of ours about the conversation, not part of it: its answer is not spoken. */
  readonly isAside?: boolean
  /** The JSON that the answer must be, for servers that can be held to it. Others are told in the prompt. */
  readonly answerSchema?: AnswerSchema | undefined
}

export interface AnswerSchema {
  readonly name: string
  /** A JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** The graph node that speaks from here on. */
  | { readonly type: 'node'; readonly nodeId: string }
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }

export interface LanguageModel {
  /** Parts as they arrive. Ends without an error when the signal aborts; throws one sentence when the model fails. */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Whether the conversation has ended; a model without this method is asked with a prompt. */
  isOver?(messages: readonly ChatMessage[]): boolean
}
