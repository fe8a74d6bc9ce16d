// How the API of a vendor of language models looks on the wire. Everything else about a request is in streamed-model.ts.
import type { Dispatcher } from 'undici'
import type { ModelOptions } from '../../../ports/call-plan.ts'
import type { ModelPart, ModelRequest } from '../../../ports/language-model.ts'
import type { SttVendor } from '../../../ports/vendor.ts'

/** The body of a request besides the conversation, by the vendor's names. */
export type WireOptions = Readonly<Record<string, unknown>>

/** How each option is written; undefined: the vendor has the option, but not this value. */
export type OptionRows = {
  readonly [Name in keyof ModelOptions]-?: (
    value: NonNullable<ModelOptions[Name]>,
    model: string,
  ) => WireOptions | undefined
}

export interface ModelVendor {
  /** For people. */
  readonly label: string
  /** Undefined: everybody has an address of their own. */
  readonly baseUrl: string | undefined
  /** Whether it refuses requests without a key. */
  readonly needsKey: boolean
  /** The hosts that it serves from, for addresses without the name of a vendor. */
  readonly hosts: RegExp | undefined
  /** `automatic`: it keeps the beginning of a conversation by itself. `marked`: where the request says so. */
  readonly promptCache: 'automatic' | 'marked' | 'none'
  /** An option without a row is one that the vendor does not have. */
  readonly options: Partial<OptionRows>
  /** Sent unless the agent's own options say otherwise. */
  readonly defaults: (model: string) => WireOptions
  readonly protocol: ModelProtocol
  /** Undefined: its key is not stored, or another of the company's services is asked. */
  readonly check?: SttVendor['check']
}

export interface ModelServer {
  /** The name of the vendor, for the record. */
  readonly provider: string
  readonly vendor: ModelVendor
  readonly baseUrl: string
  readonly apiKey: string | undefined
  /** The version of Azure's interface. */
  readonly apiVersion?: string | undefined
  /** The guard's dispatcher for an address that a user gave. */
  readonly dispatcher: Dispatcher
}

export interface ModelProtocol {
  url(server: Pick<ModelServer, 'baseUrl' | 'apiVersion'>, model: string): URL
  headers(apiKey: string): Readonly<Record<string, string>>
  body(model: string, options: WireOptions, request: ModelRequest): string
  openReader(): AnswerReader
  /** The options without the one that a refusal is about; undefined: it is about something else. */
  without(options: WireOptions, refusal: RequestRefusal): WireOptions | undefined
}

/** What a server said about a request that it refused. */
export interface RequestRefusal {
  readonly reason: string
  /** The option that it names, if it has a field for that. */
  readonly param: string | undefined
}

export interface TokenCounts {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The part of the input that the vendor had kept from an earlier request. */
  readonly cachedTokens: number
  /** The part of the input that the vendor keeps from now on, if it charges for that. */
  readonly cacheWriteTokens: number
}

/** Why a model stopped: `length` and `content_filter` are told apart, every other reason is `stop`. */
export type FinishReason = 'stop' | 'length' | 'content_filter'

export type AnswerEvent =
  | { readonly type: 'parts'; readonly parts: readonly ModelPart[] }
  | { readonly type: 'done' }
  | { readonly type: 'complaint'; readonly error: unknown }

/** Reads the events of one answer. */
export interface AnswerReader {
  /** Once the model has stopped. */
  readonly finishReason: FinishReason | undefined
  /** The model that answers, as the server names it. */
  readonly model: string | undefined
  /** As far as the server has told. */
  readonly tokens: TokenCounts | undefined
  /** Throws if it cannot be read, and `UnknownMessage` if it is of a type that is not known. */
  take(data: string): AnswerEvent
}

/** The host of an address, and no other. */
export const hostsAt = (baseUrl: string): RegExp =>
  new RegExp(`^${new URL(baseUrl).hostname.replaceAll('.', '\\.')}$`)

/** Writes an option under this name. */
export const as =
  (name: string) =>
  (value: unknown): WireOptions => ({ [name]: value })

/** The options without one of these names, if the refusal names one. */
export function withoutNamed(
  options: WireOptions,
  { reason, param }: RequestRefusal,
  names: readonly string[] = Object.keys(options),
): WireOptions | undefined {
  const refused =
    names.find((name) => name === param && name in options) ??
    names.find((name) => name in options && new RegExp(`\\b${name}\\b`).test(reason))
  if (refused === undefined) return undefined
  const { [refused]: _, ...left } = options
  return left
}

/** The schema in OpenAI's form of a response format. */
export function schemaOf(format: WireOptions): WireOptions | undefined {
  const wrapped = format.json_schema as { schema?: WireOptions } | undefined
  return format.type === 'json_schema' ? wrapped?.schema : undefined
}

export function parsedJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
