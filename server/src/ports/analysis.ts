// The port for whatever analyses a call after it has ended.
import type { EngineChoice, TranscriptEntry } from './call.ts'
import type { ModelPlan } from './call-plan.ts'

/** What to find out. Holds the key of the agent's model: never log it. */
export interface AnalysisPlan {
  /** Null: no summary is wanted. An empty prompt: the built-in one. */
  readonly summary: { readonly prompt: string } | null
  readonly sentiment: { readonly prompt: string } | null
  /** Empty: none. */
  readonly dispositions: readonly DispositionField[]
  readonly extraction: { readonly fields: readonly ExtractionField[] } | null
  /** By the specification's names; undefined: UTC. */
  readonly timezone: string | undefined
  readonly model: ModelPlan
}

export interface DispositionField {
  readonly name: string
  readonly description: string
  /** Returned unchanged. */
  readonly action: unknown
}

export interface ExtractionField {
  readonly name: string
  readonly type: string
  readonly description: string
}

export type SpokenLine = Pick<TranscriptEntry, 'role' | 'content'>

export interface EndedCall {
  readonly plan: AnalysisPlan
  readonly transcript: readonly SpokenLine[]
  /** When the call was made, to resolve words like "tomorrow". */
  readonly at: Date
}

type ByName = Readonly<Record<string, unknown>>

/** Null: not wanted, or undeterminable. */
export interface Analytics {
  readonly summary: string | null
  readonly sentiment: {
    readonly label: 'positive' | 'neutral' | 'negative'
    /** From -1 to 1. */
    readonly score: number
    readonly reason: string
  } | null
  readonly disposition: ByName | null
  readonly dataExtraction: ByName | null
}

export interface Findings {
  readonly analytics: Analytics
  /** The engine that found it. */
  readonly engine: EngineChoice
}

/** Rejects with one sentence when a retry may help; never on the last attempt. */
export type Analyse = (call: EndedCall, signal: AbortSignal, isLastTry: boolean) => Promise<Findings>
