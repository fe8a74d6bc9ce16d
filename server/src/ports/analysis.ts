// What the service asks of anything that finds out about a call after it has ended.
import type { EngineChoice, TranscriptEntry } from './call.ts'
import type { ModelPlan } from './call-plan.ts'

/** What is to be found out. Holds the key of the agent's model: never log a plan. */
export interface AnalysisPlan {
  /** Null: no summary is wanted. An empty prompt: in our own words. */
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
  /** Given back as it is. */
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
  /** When it was made: "tomorrow" is the day after. */
  readonly at: Date
}

type ByName = Readonly<Record<string, unknown>>

/** Null: not wanted, or it cannot be told. */
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
  /** Which engine found it out. */
  readonly engine: EngineChoice
}

/** Rejects with one sentence when it is worth another try; never on the last. */
export type Analyse = (call: EndedCall, signal: AbortSignal, isLastTry: boolean) => Promise<Findings>
