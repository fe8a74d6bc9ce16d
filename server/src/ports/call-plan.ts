// What a call is made from: the agent's configuration and the call's own row, read once, in internal terms.
//
// Every default is applied, every unit is in its name, every `{variable}` is filled, except in prompts if a tool
// may set some during the call (`fillsLate`). Plain data that can be cloned to another thread. It holds secrets (`apiKey`,
// `accounts`, the headers of tools): never log a plan.
import type { TranscriptEntry, TurnLatency } from './call.ts'
import type { ToolDescription } from './language-model.ts'
import type { SynthesizerOptions } from './synthesizer.ts'
import type { TranscriberOptions } from './transcriber.ts'

export interface CallPlan {
  readonly sessionId: string
  readonly workspaceId: string
  readonly agentId: string
  /** Null or undefined: it belongs to none. */
  readonly batchId?: string | null | undefined
  readonly callType: 'outbound' | 'inbound' | 'web'
  readonly to: string | null
  readonly from: string | null
  /** The carrier that the call was created for; null: not known before it is dialled or arrives. */
  readonly provider: string | null
  /** The telephone number of ours that it goes out from or has come in by; null: none, or it was deleted. */
  readonly number: { readonly id: string; readonly provider: string } | null
  /** The metadata given with the call. */
  readonly metadata: unknown
  /** For graph conditions, and for tool templates, where the model's arguments take precedence. */
  readonly variables: Readonly<Record<string, string>>
  readonly transcriber: TranscriberPlan
  readonly synthesizer: SynthesizerPlan
  readonly dialogue: DialoguePlan
  readonly tools: readonly ToolPlan[]
  readonly mcpServers: readonly McpServerPlan[]
  /** Tools may set variables: the prompts still have their placeholders, and are filled whenever the model is asked. */
  readonly fillsLate: boolean
  /** Where the model may have the call transferred to. */
  readonly transfers: readonly TransferDestination[]
  readonly turn: TurnRules
  readonly guardRails: GuardRails
  /** Background noise under the agent's voice; null: none. */
  readonly ambienceTrack: string | null
  /** The part that another process ran before it died; null: the call begins here. */
  readonly resumed: ResumedCall | null
  /** How vendors are reached with the workspace's own credentials, by the names these are stored under. */
  readonly accounts: Readonly<Record<string, AccountPlan>>
  /** Sentences for the call record: settings that were ignored, variables without a value. */
  readonly notes: readonly string[]
}

export interface ResumedCall {
  /** From the answer until now. */
  readonly elapsedMs: number
  readonly transcript: readonly TranscriptEntry[]
  readonly latency: readonly TurnLatency[]
  /** Those that tools had saved. */
  readonly variables: Readonly<Record<string, string>>
}

export interface AccountPlan {
  readonly credentials: Readonly<Record<string, string>>
  /** A user chose it. */
  readonly baseUrl: string | undefined
}

export interface TranscriberPlan {
  /** The vendor that the agent names; null: it names none. */
  readonly asked: string | null
  readonly model: string
  readonly language: string | undefined
  /** Keyterms: names and words to expect. */
  readonly keyterms: readonly string[]
  /** Vendors to go on with when it fails, in order. */
  readonly fallbacks: readonly TranscriberFallback[]
  /** What else the agent asks of its transcriber. */
  readonly options: Pick<TranscriberOptions, 'samplingRateHz' | 'encoding' | 'task' | 'stream'>
}

export interface TranscriberFallback {
  readonly vendor: string
  readonly model: string
}

export interface SynthesizerFallback {
  readonly vendor: string
  readonly voice: string | undefined
  readonly voiceId: string | undefined
  readonly model: string | undefined
}

export interface SynthesizerPlan {
  readonly asked: string | null
  readonly voice: string | undefined
  readonly voiceId: string | undefined
  readonly model: string | undefined
  readonly language: string | undefined
  /** Vendors to go on with when it fails, in order. */
  readonly fallbacks: readonly SynthesizerFallback[]
  /** What else the agent asks of its synthesizer. */
  readonly options: Omit<SynthesizerOptions, 'voice' | 'voiceId' | 'model' | 'language' | 'rateHz'>
  /** Sentences that are the same in every call and may be kept; none: the agent wants nothing kept. */
  readonly keptSentences: readonly string[]
}

export interface DialoguePlan {
  readonly prompt: string
  readonly model: ModelPlan
  readonly graph: Graph | null
  readonly routes: readonly Route[]
  /** Whether the model may hang up, through a tool. */
  readonly mayEndCall: boolean
  /** Whether the model may press keys, through a tool. */
  readonly maySendDigits: boolean
  /** Whether the model may set variables of the call, through a tool. */
  readonly maySetVariables: boolean
  /** Where the agent looks things up; null: nowhere. */
  readonly knowledge: KnowledgePlan | null
}

export interface KnowledgePlan {
  readonly repositoryIds: readonly string[]
  /** It says nothing that is not in them. */
  readonly isOnlySource: boolean
}

/** Where a model is served. */
export interface ModelAddress {
  readonly model: string | undefined
  /** The vendor as the agent names it; the other name is looked at when the first is not known. */
  readonly provider?: string | undefined
  readonly family?: string | undefined
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  /** The version of Azure's interface. */
  readonly apiVersion?: string | undefined
}

export interface ModelPlan extends ModelAddress {
  /** Tried in order when the first one fails. */
  readonly fallback: readonly ModelAddress[]
  readonly options: ModelOptions
  /** A sentence for each setting that could not be used. */
  readonly problems: readonly string[]
  /** A realtime model: it gets the caller's sound and speaks itself. */
  readonly hearsItself?: boolean | undefined
}

export interface ModelOptions {
  readonly temperature?: number | undefined
  readonly maxTokens?: number | undefined
  readonly topP?: number | undefined
  readonly frequencyPenalty?: number | undefined
  readonly presencePenalty?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly topK?: number | undefined
  readonly minP?: number | undefined
  readonly seed?: number | undefined
  readonly reasoningEffort?: string | undefined
  /** As the vendor defines it. */
  readonly responseFormat?: Readonly<Record<string, unknown>> | undefined
}

/** A caller utterance similar to one of these is answered at once, without the model. */
export interface Route {
  readonly name: string
  readonly utterances: readonly string[]
  readonly answers: readonly string[]
  /** The cosine similarity from which an utterance matches. */
  readonly threshold: number
}

export interface Graph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly start: GraphNode
  /** A resumed call: the first node has spoken before. */
  readonly startHasSpoken: boolean
  /** The part of the prompt shared by every node. */
  readonly information: string
  /** In addition to the call's own variables. */
  readonly context: Readonly<Record<string, unknown>>
}

export interface GraphNode {
  readonly id: string
  readonly prompt: string
  /** Said verbatim; undefined: the model speaks. */
  readonly words: string | undefined
  /** Never speaks: it only chooses the next node. */
  readonly isRouter: boolean
  readonly edges: readonly NodeEdge[]
}

export type NodeEdge = { readonly to: string } & (
  | { readonly by: 'llm'; readonly condition: string; readonly tool: string; readonly about: string }
  | { readonly by: 'expression'; readonly expression: Expression }
  /** Keys that the caller presses; empty: any. */
  | { readonly by: 'keys'; readonly keys: string }
  | { readonly by: 'unconditional' }
)

/** Over the variables of a call. */
export interface Expression {
  readonly logic: string
  readonly conditions: readonly {
    readonly variable: string
    readonly operator: string
    readonly value?: unknown
  }[]
}

export interface ToolPlan {
  readonly description: ToolDescription
  /** Said while the tool runs. */
  readonly waitingWords: string | undefined
  /** Undefined: handled by the call itself. */
  readonly target: ToolTarget | undefined
}

export interface TransferDestination {
  readonly name: string
  /** A number in E.164 form, or a SIP address. */
  readonly to: string
  /** `warm`: the agent speaks to the target before the two are connected. */
  readonly mode: 'cold' | 'warm'
  /** What it tells them; empty: that a call is waiting. */
  readonly message: string
}

/** Placeholders are filled when the model calls the tool: its arguments take precedence over the call's variables. */
export interface ToolTarget {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  /** Templates. Where both are undefined, the arguments are sent unchanged, in the body if the method has one. */
  readonly query: unknown
  readonly body: unknown
  /** Undefined: the usual. */
  readonly timeoutMs?: number | undefined
  readonly answer?: ToolAnswerRules | undefined
}

/** What is done with the answer of a tool before the model and the record get it. */
export interface ToolAnswerRules {
  /** Which fields become variables of the call: paths by name. */
  readonly save: Readonly<Record<string, string>>
  /** Never repeated, even if the server does. */
  readonly secrets: readonly string[]
}

/** An MCP server whose tools the agent may use. */
export interface McpServerPlan {
  readonly name: string
  /** What it is for; the model reads it before what the server says of each of its tools. */
  readonly description: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null: all. */
  readonly toolNames: readonly string[] | null
  readonly timeoutMs: number
  readonly waitingWords: string | undefined
  readonly answer: ToolAnswerRules
}

/** What an agent must not talk about, say, keep or record. */
export interface GuardRails {
  readonly topics: readonly RefusedTopic[]
  /** Said instead of an answer about one of the topics. */
  readonly refusal: string
  /** Words and phrases; `*` stands for any word, or for the rest of one. */
  readonly neverSay: readonly string[]
  /** Said instead of a sentence with one of them. */
  readonly replacement: string
  /** What is masked in the record and in the recording. */
  readonly mask: readonly MaskedKind[]
  readonly records: boolean
}

export interface RefusedTopic {
  readonly name: string
  /** What people say about it: its name, and examples. */
  readonly examples: readonly string[]
  /** As in `neverSay`. */
  readonly words: readonly string[]
}

export type MaskedKind = 'card_number' | 'email' | 'phone' | 'iban' | 'date_of_birth' | 'national_id'

/** The caller is asked before a call is recorded. */
export interface ConsentRules {
  readonly question: string
  /** Said when the call is not recorded. */
  readonly refused: string
  /** A caller who says neither yes nor no is not recorded either. */
  readonly needsYes: boolean
}

/** What happens when something other than a person picks up. */
export interface AnsweringRules {
  readonly onVoicemail: 'hang-up' | 'leave-message' | 'go-on'
  /** Said after the beep. */
  readonly voicemailMessage: string
  /** Who calls and why, for a screening service. */
  readonly screeningAnswer: string
}

/** When the keys that a caller presses are complete. */
export interface KeyRules {
  /** Nothing pressed for this long. */
  readonly pauseMs: number
  /** Pressed after the others; empty: no key ends them. */
  readonly endKey: string
  /** Infinity: any number of keys. */
  readonly most: number
}

export interface TurnRules {
  /** The language of the call until the caller turns out to speak another; undefined: none was asked for. */
  readonly language?: string | undefined
  /** An unanswered call is given up after this. */
  readonly ringingMs: number
  /** Null: we were called, so there is a person. */
  readonly answering: AnsweringRules | null
  readonly keys: KeyRules
  /** Null: nobody is asked. */
  readonly consent: ConsentRules | null
  /** The silence that ends a turn whose words sound complete, and the extra silence when they do not. */
  readonly endpointingMs: number
  readonly unfinishedMs: number
  /** Prepare replies to words that may still continue, and discard them if they do. */
  readonly thinkAhead: boolean
  /** 0: nothing interrupts the agent. */
  readonly wordsToInterrupt: number
  readonly backoffMs: number
  /** Infinity if the agent has no such limit. */
  readonly hangUpAfterSilenceMs: number
  readonly askIfThereAfterMs: number
  readonly longestCallMs: number
  readonly fillers: boolean
  readonly backchannels: { readonly afterMs: number; readonly gapMs: number } | null
  /** Asked of the model after each turn: whether the conversation has ended. */
  readonly overQuestion: string | null
  readonly sayings: {
    readonly greeting: string
    readonly areYouThere: string
    readonly farewell: string
    /** Said before a call ends because an engine failed. */
    readonly apology: string
    /** Said before a transfer, if the model says nothing, and after one that failed. */
    readonly connecting: string
    readonly notConnected: string
    /** Said to the target of a warm transfer: what it is about, if nothing else is known, and the question. */
    readonly callerWaits: string
    readonly takeCall: string
    /** Said while the agent still thinks, while it waits for a tool, and while the caller speaks for long. */
    readonly fillers: readonly string[]
    readonly lookups: readonly string[]
    readonly backchannels: readonly string[]
  }
}
