// The port for whatever decides what to say next.
import type { Passage } from './knowledge.ts'

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
  /** The vendor's own, to be sent back with the call as it is. */
  readonly signature?: string | undefined
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
  /** What the knowledge base has about the caller's words, for a model that does not read prompts. Absent: nothing was looked up. */
  readonly passages?: readonly Passage[]
}

/** What one request used, as its server counted. */
export interface ModelUsage {
  /** The vendor by the name that agents use. */
  readonly provider: string
  /** The model that answered, as its server names it. */
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that the vendor had kept from an earlier request. */
  readonly cachedTokens: number
  /** The part of the input that the vendor keeps from now on, if it charges for that. */
  readonly cacheWriteTokens: number
  /** It was ended before its answer was complete. Most servers do not count the tokens of such a request. */
  readonly isAborted: boolean
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** The graph node that speaks from here on. */
  | { readonly type: 'node'; readonly nodeId: string }
  /** What the answer is based on; empty: nothing was found. */
  | { readonly type: 'sources'; readonly passages: readonly Passage[] }
  | ({ readonly type: 'usage' } & ModelUsage)

export interface LanguageModel {
  /** Parts as they arrive. Ends without an error when the signal aborts; throws one sentence when the model fails. */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
  /** What it can work out about the request before `passages` are there. */
  prepare?(request: ModelRequest, signal: AbortSignal): void
  /** Whether the conversation has ended; a model without this method is asked with a prompt. */
  isOver?(messages: readonly ChatMessage[]): boolean
}

export interface ModelCatalogue {
  /** Undefined: agents that name no model are answered by the built-in dialogue policy. */
  readonly installed: { readonly provider: string; readonly models: readonly string[] } | undefined
  readonly vendors: readonly KnownVendor[]
}

interface KnownVendor {
  readonly name: string
  readonly label: string
  /** Undefined: it has no address of its own. */
  readonly baseUrl: string | undefined
  /** Whether an agent can use it without a key of its own. */
  readonly isReady: boolean
  readonly promptCache: 'automatic' | 'marked' | 'none'
}
