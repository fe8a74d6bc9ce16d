// The plan of a call: the agent's configuration and the call's own row, read once, in internal terms.
//
// Every default is applied, every unit is in its name, and every `{variable}` is filled, except in prompts if a tool
// may set some during the call (`fillsLate`). A plan is plain data that can be cloned to another thread. It holds
// secrets (`apiKey`, `accounts`, the headers of tools): never log it.
import type { AccountPlan } from './account-address.ts'
import type { TranscriptEntry, TurnLatency } from './call.ts'
import type { ToolDescription } from './language-model.ts'
import type { SynthesizerOptions } from './synthesizer.ts'
import type { TranscriberOptions } from './transcriber.ts'

export type { AccountPlan } from './account-address.ts'

export interface CallPlan {
  readonly sessionId: string
  readonly workspaceId: string
  readonly agentId: string
  /** The batch of the call; null or undefined: it belongs to none. */
  readonly batchId?: string | null | undefined
  readonly callType: 'outbound' | 'inbound' | 'web'
  readonly to: string | null
  readonly from: string | null
  /** The carrier that the call was created for; null: not known before it is dialled or arrives. */
  readonly provider: string | null
  /** The telephone number of ours that the call goes out from or has come in by; null: none, or it was deleted. */
  readonly number: { readonly id: string; readonly provider: string } | null
  /** The metadata given with the call. */
  readonly metadata: unknown
  /** The variables for graph conditions, and for tool templates, where the model's arguments take precedence. */
  readonly variables: Readonly<Record<string, string>>
  readonly transcriber: TranscriberPlan
  readonly synthesizer: SynthesizerPlan
  readonly dialogue: DialoguePlan
  readonly tools: readonly ToolPlan[]
  readonly mcpServers: readonly McpServerPlan[]
  /** Whether tools may set variables: placeholders in prompts are filled whenever the model is asked. */
  readonly fillsLate: boolean
  /** The destinations that the model may have the call transferred to. */
  readonly transfers: readonly TransferDestination[]
  readonly turn: TurnRules
  readonly guardRails: GuardRails
  /** Background noise under the agent's voice; null: none. */
  readonly ambienceTrack: string | null
  /** The part of the call that another process ran before it died; null: the call begins here. */
  readonly resumed: ResumedCall | null
  /** The workspace's own accounts at vendors, by the names that its credentials are stored under. */
  readonly accounts: Readonly<Record<string, AccountPlan>>
  /** Sentences for the call record: settings that were ignored, variables without a value. */
  readonly notes: readonly string[]
}

export interface ResumedCall {
  /** The time from the answer until now. */
  readonly elapsedMs: number
  readonly transcript: readonly TranscriptEntry[]
  readonly latency: readonly TurnLatency[]
  /** The variables that tools had saved. */
  readonly variables: Readonly<Record<string, string>>
}

export interface TranscriberPlan {
  /** The vendor that the agent names; null: it names none. */
  readonly asked: string | null
  readonly model: string
  readonly language: string | undefined
  /** Keyterms: names and words to expect. */
  readonly keyterms: readonly string[]
  /** The vendors to continue with when the first one fails, in order. */
  readonly fallbacks: readonly TranscriberFallback[]
  /** What it gives of the vendor's own options, unread: the vendor knows them. */
  readonly providerConfig: ProviderConfig
  /** What else the agent asks of its transcriber. */
  readonly options: Pick<
    TranscriberOptions,
    'samplingRateHz' | 'encoding' | 'task' | 'stream' | 'turnDetection'
  >
}

export type ProviderConfig = Readonly<Record<string, unknown>>

export interface TranscriberFallback {
  readonly vendor: string
  readonly model: string
  readonly providerConfig: ProviderConfig
}

export interface SynthesizerFallback {
  readonly vendor: string
  readonly voice: string | undefined
  readonly voiceId: string | undefined
  readonly model: string | undefined
  readonly providerConfig: ProviderConfig
}

export interface SynthesizerPlan {
  readonly asked: string | null
  readonly voice: string | undefined
  readonly voiceId: string | undefined
  readonly model: string | undefined
  readonly language: string | undefined
  /** The vendors to continue with when the first one fails, in order. */
  readonly fallbacks: readonly SynthesizerFallback[]
  /** What it gives of the vendor's own options, unread, with what is in `options`. */
  readonly providerConfig: ProviderConfig
  /** What else the agent asks of its synthesizer. */
  readonly options: Omit<SynthesizerOptions, 'voice' | 'voiceId' | 'model' | 'language' | 'own' | 'rateHz'>
  /** Sentences that are the same in every call and whose speech may be kept; empty: the agent wants nothing kept. */
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
  /** The repositories that the agent looks things up in; null: none. */
  readonly knowledge: KnowledgePlan | null
}

export interface KnowledgePlan {
  readonly repositoryIds: readonly string[]
  /** Whether the agent says nothing that is not in its repositories. */
  readonly isOnlySource: boolean
}

/** Where a model is served. */
export interface ModelAddress {
  readonly model: string | undefined
  /** The vendor as the agent names it; `family` is looked at when this name is not known. */
  readonly provider?: string | undefined
  readonly family?: string | undefined
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  /** The version of Azure's interface. */
  readonly apiVersion?: string | undefined
}

export interface ModelPlan extends ModelAddress {
  /** The models to try in order when the first one fails. */
  readonly fallback: readonly ModelAddress[]
  readonly options: ModelOptions
  /** A sentence for each setting that could not be used. */
  readonly problems: readonly string[]
  /** Whether this is a realtime model: it gets the caller's sound and speaks itself. */
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
  /** The format of the answer, as the vendor defines it. */
  readonly responseFormat?: Readonly<Record<string, unknown>> | undefined
}

/** A fixed answer to utterances that are similar to one of the examples, given at once and without the model. */
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
  /** Whether the first node has spoken before, in the earlier part of a resumed call. */
  readonly startHasSpoken: boolean
  /** The part of the prompt shared by every node. */
  readonly information: string
  /** Variables in addition to the call's own. */
  readonly context: Readonly<Record<string, unknown>>
}

export interface GraphNode {
  readonly id: string
  readonly prompt: string
  /** Words that are said verbatim; undefined: the model speaks. */
  readonly words: string | undefined
  /** Whether the node never speaks and only chooses the next node. */
  readonly isRouter: boolean
  readonly edges: readonly NodeEdge[]
}

export type NodeEdge = { readonly to: string } & (
  | { readonly by: 'llm'; readonly condition: string; readonly tool: string; readonly about: string }
  | { readonly by: 'expression'; readonly expression: Expression }
  /** The keys that the caller presses; empty: any. */
  | { readonly by: 'keys'; readonly keys: string }
  | { readonly by: 'unconditional' }
)

/** A condition over the variables of a call. */
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
  /** The words that are said while the tool runs. */
  readonly waitingWords: string | undefined
  /** The request of the tool; undefined: the call itself runs it. */
  readonly target: ToolTarget | undefined
}

export interface TransferDestination {
  readonly name: string
  /** A number in E.164 form, or a SIP address. */
  readonly to: string
  /** `warm`: the agent speaks to the target before the two are connected. */
  readonly mode: 'cold' | 'warm'
  /** The words for the target of a warm transfer; empty: that a call is waiting. */
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
  /** The time-out; undefined: the usual one. */
  readonly timeoutMs?: number | undefined
  readonly answer?: ToolAnswerRules | undefined
}

/** Rules for the answer of a tool, applied before the model and the record get it. */
export interface ToolAnswerRules {
  /** The fields that become variables of the call: paths by name. */
  readonly save: Readonly<Record<string, string>>
  /** Texts that are never repeated, even if the server repeats them. */
  readonly secrets: readonly string[]
}

/** An MCP server whose tools the agent may use. */
export interface McpServerPlan {
  readonly name: string
  /** The purpose of the server; the model reads it before the server's own description of each tool. */
  readonly description: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The names of the tools that may be used; null: all. */
  readonly toolNames: readonly string[] | null
  readonly timeoutMs: number
  readonly waitingWords: string | undefined
  readonly answer: ToolAnswerRules
}

/** The guard rails of an agent: what it must not talk about, say, keep or record. */
export interface GuardRails {
  readonly topics: readonly RefusedTopic[]
  /** The sentence in place of an answer about one of the topics. */
  readonly refusal: string
  /** The words and phrases that are never said; `*` stands for any word, or for the rest of one. */
  readonly neverSay: readonly string[]
  /** The sentence in place of one with such words. */
  readonly replacement: string
  /** The kinds of personal data that are masked in the record and in the recording. */
  readonly mask: readonly MaskedKind[]
  readonly records: boolean
}

export interface RefusedTopic {
  readonly name: string
  /** Names and examples of the topic, as people say them. */
  readonly examples: readonly string[]
  /** Words and phrases as in `neverSay`. */
  readonly words: readonly string[]
}

export type MaskedKind = 'card_number' | 'email' | 'phone' | 'iban' | 'date_of_birth' | 'national_id'

/** The question to the caller before a call is recorded. */
export interface ConsentRules {
  readonly question: string
  /** The sentence for a call that is not recorded. */
  readonly refused: string
  /** Whether a caller who says neither yes nor no is not recorded either. */
  readonly needsYes: boolean
}

/** What the agent does when something other than a person picks up. */
export interface AnsweringRules {
  readonly onVoicemail: 'hang-up' | 'leave-message' | 'go-on'
  /** The message after the beep. */
  readonly voicemailMessage: string
  /** The answer to a screening service: who calls and why. */
  readonly screeningAnswer: string
}

/** The rules by which the keys that a caller presses are complete. */
export interface KeyRules {
  /** The pause after which the keys are complete. */
  readonly pauseMs: number
  /** The key that ends the others; empty: none does. */
  readonly endKey: string
  /** The most keys; Infinity: any number. */
  readonly most: number
}

export interface TurnRules {
  /** The language of the call until the caller turns out to speak another; undefined: none was asked for. */
  readonly language?: string | undefined
  /** The time after which an unanswered call is given up. */
  readonly ringingMs: number
  /** The rules for an outgoing call; null: we were called, so there is a person. */
  readonly answering: AnsweringRules | null
  readonly keys: KeyRules
  /** The question for consent; null: nobody is asked. */
  readonly consent: ConsentRules | null
  /** The silence that ends a turn whose words sound complete, and the extra silence when they do not. */
  readonly endpointingMs: number
  readonly unfinishedMs: number
  /** The least silence before the transcriber is asked for a final; undefined: a stop inside a word is enough. */
  readonly finalAfterMs?: number | undefined
  /** Whether replies are prepared to words that may still continue, and discarded if they do. */
  readonly thinkAhead: boolean
  /** The number of words that interrupt the agent; 0: nothing interrupts it. */
  readonly wordsToInterrupt: number
  readonly backoffMs: number
  /** Infinity if the agent has no such limit. */
  readonly hangUpAfterSilenceMs: number
  readonly askIfThereAfterMs: number
  readonly longestCallMs: number
  readonly fillers: boolean
  readonly backchannels: { readonly afterMs: number; readonly gapMs: number } | null
  /** The question to the model after each turn: whether the conversation has ended. */
  readonly overQuestion: string | null
  readonly sayings: {
    readonly greeting: string
    readonly areYouThere: string
    readonly farewell: string
    /** The sentence before a call ends because an engine failed. */
    readonly apology: string
    /** The sentence in place of an answer that failed: the caller is asked to say it again. */
    readonly sayAgain: string
    /** The sentences before a transfer about which the model says nothing, and after one that failed. */
    readonly connecting: string
    readonly notConnected: string
    /** The words for the target of a warm transfer if nothing else is known, and the question to it. */
    readonly callerWaits: string
    readonly takeCall: string
    /** The words while the agent still thinks, while it waits for a tool, and while the caller speaks for long. */
    readonly fillers: readonly string[]
    readonly lookups: readonly string[]
    readonly backchannels: readonly string[]
  }
}
