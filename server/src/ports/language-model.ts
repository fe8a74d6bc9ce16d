// The port for what decides what to say next.
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
  /** The vendor's own signature, to be sent back unchanged with the call. */
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
  /** Whether this is a question of ours about the conversation and not part of it: its answer is not spoken. */
  readonly isAside?: boolean
  /** The passages about the caller's words, for a model that does not read prompts. Absent: nothing was looked up. */
  readonly passages?: readonly Passage[]
}

/** The usage of one request, as its server counted. */
export interface ModelUsage {
  /** The vendor by the name that agents use. */
  readonly provider: string
  /** The model that answered, as its server names it. */
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that the vendor had cached from an earlier request. */
  readonly cachedTokens: number
  /** The part of the input that the vendor caches from now on, if it charges for that. */
  readonly cacheWriteTokens: number
  /** Whether the request was ended before its answer was complete: most servers do not count its tokens. */
  readonly isAborted: boolean
}

export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** The graph node that speaks from here on. */
  | { readonly type: 'node'; readonly nodeId: string }
  /** The passages that the answer is based on; empty: nothing was found. */
  | { readonly type: 'sources'; readonly passages: readonly Passage[] }
  | ({ readonly type: 'usage' } & ModelUsage)

/** What a model may throw. */
export interface ModelFailure extends Error {
  /** Whether it was asked again as often as may help, or would only refuse again. */
  readonly isFinal?: boolean | undefined
}

export interface LanguageModel {
  /** Streams the parts of a reply. Ends without an error when the signal aborts; throws one sentence if it fails. */
  reply(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
  /** Works out what it can about the request before `passages` are there. */
  prepare?(request: ModelRequest, signal: AbortSignal): void
  /** Whether the conversation has ended; a model without this method is asked with a prompt. */
  isOver?(messages: readonly ChatMessage[]): boolean
}

export interface ModelCatalogue {
  /** The operator's models; undefined: agents that name no model are answered by the built-in dialogue policy. */
  readonly installed: { readonly provider: string; readonly models: readonly string[] } | undefined
  readonly vendors: readonly KnownVendor[]
}

interface KnownVendor {
  readonly name: string
  readonly label: string
  /** The vendor's address; undefined: it has no address of its own. */
  readonly baseUrl: string | undefined
  /** Whether an agent can use the vendor without a key of its own. */
  readonly isReady: boolean
  readonly promptCache: 'automatic' | 'marked' | 'none'
}
