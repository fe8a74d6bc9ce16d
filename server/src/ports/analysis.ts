// The port for the analysis of a call after it has ended.
import type { EngineChoice, TranscriptEntry } from './call.ts'
import type { ModelPlan } from './call-plan.ts'

/** The questions of an analysis. A plan holds the key of the agent's model: never log it. */
export interface AnalysisPlan {
  /** Null: no summary is wanted. An empty prompt: the built-in one. */
  readonly summary: { readonly prompt: string } | null
  readonly sentiment: { readonly prompt: string } | null
  /** Empty: none. */
  readonly dispositions: readonly DispositionField[]
  readonly extraction: { readonly fields: readonly ExtractionField[] } | null
  /** Null: calls are not judged. */
  readonly rubric: Rubric | null
  /** A time zone by the specification's names; undefined: UTC. */
  readonly timezone: string | undefined
  readonly model: ModelPlan
}

export interface DispositionField {
  readonly name: string
  readonly description: string
  /** The action of a disposition, which is returned unchanged. */
  readonly action: unknown
}

export interface ExtractionField {
  readonly name: string
  readonly type: string
  readonly description: string
}

export interface Rubric {
  readonly questions: readonly RubricQuestion[]
  /** From 0 to 100. */
  readonly passScore: number
}

export interface RubricQuestion {
  readonly name: string
  readonly question: string
  readonly answer: 'yes-no' | 'scale-1-5' | 'scale-0-10'
  readonly weight: number
  /** The answer that passes, or the least number that does. */
  readonly pass: boolean | number
}

/** The answer to a question of a rubric; null if it cannot be told. */
export interface Judgement {
  readonly value: boolean | number | null
  readonly reason: string
}

export type SpokenLine = Pick<TranscriptEntry, 'role' | 'content'>

export interface EndedCall {
  /** The session of the call; absent: the model's requests belong to no trace. */
  readonly sessionId?: string
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
  /** Why a value is null, in one sentence each: by `summary`, `sentiment` or `data_extraction.<name>`. */
  readonly reasons: Readonly<Record<string, string>>
  /** The answers by the names of the rubric's questions; empty if there is no rubric. */
  readonly judgements: Readonly<Record<string, Judgement>>
}

export interface Findings {
  readonly analytics: Analytics
  /** The rubric that the judgements answer. */
  readonly rubric: Rubric | null
  /** The engine that made the analysis. */
  readonly engine: EngineChoice
}

/** Analyses a call. Rejects with one sentence when a retry may help; never on the last attempt. */
export type Analyse = (call: EndedCall, signal: AbortSignal, isLastTry: boolean) => Promise<Findings>
