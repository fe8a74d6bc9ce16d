// What the service asks of whoever finds out about a call after it has ended.
import type { AgentConfig, Analytics, TranscriptLine } from '@parley/contract'
import type { EngineChoice } from './call.ts'

export interface EndedCall {
  readonly agent: AgentConfig
  readonly transcript: readonly TranscriptLine[]
  /** What filled the placeholders. */
  readonly variables: Readonly<Record<string, string>>
  /** When it was made: "tomorrow" is the day after. */
  readonly at: Date
}

export interface Findings {
  readonly analytics: Analytics
  /** Who found it out. */
  readonly engine: EngineChoice
}

/** Rejects with one sentence when it is worth another try; never on the last. */
export type Analyse = (call: EndedCall, signal: AbortSignal, isLastTry: boolean) => Promise<Findings>
