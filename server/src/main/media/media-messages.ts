// Messages between the main thread and the media thread.
import type { Config } from '../../platform/config.ts'
import type { HandedOver } from '../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { KnowledgeQuestion, Passage } from '../../ports/knowledge.ts'
import type { SpeechLookup } from '../../ports/speech-cache.ts'
import type { ExpectedSpeech, StopReason } from '../../resources/calls/work.ts'
import type { PassedOverMessage } from '../../vendors/over/wire/passed-over.ts'

/** Engines that are loaded before the first call. */
export type EnginesAhead = 'usual' | 'expected'

/** The worker data of the media thread. */
export interface MediaThreadOptions {
  readonly config: Config
  readonly recordingsFolder: string
}

/** A message from one half of a carrier to the other. */
export interface CarrierMessage {
  readonly type: 'carrier'
  readonly carrier: string
  readonly message: unknown
}

export type ToMedia =
  | { readonly type: 'run'; readonly plan: CallPlan; readonly arrival: HandedOver | undefined }
  | { readonly type: 'stop'; readonly sessionId: string; readonly why: StopReason }
  /** Whether anybody is listening in to the call. */
  | { readonly type: 'listen'; readonly sessionId: string; readonly on: boolean }
  | CarrierMessage
  /** The answer to a question to the knowledge base; without passages: why there are none. */
  | {
      readonly type: 'passages'
      readonly id: number
      readonly passages: readonly Passage[] | undefined
      readonly error: string
    }
  /** What calls will need is loaded ahead. */
  | { readonly type: 'expect'; readonly speech: readonly ExpectedSpeech[] }
  /** The files of kept speech that were found. */
  | { readonly type: 'speech'; readonly id: number; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly type: 'close' }

export type FromMedia =
  | { readonly type: 'update'; readonly sessionId: string; readonly update: CallUpdate }
  /** Both sides of a call that somebody listens in to. */
  | {
      readonly type: 'sound'
      readonly sessionId: string
      readonly samples: Int16Array
      readonly rateHz: number
    }
  | { readonly type: 'outcome'; readonly sessionId: string; readonly outcome: CallOutcome }
  | CarrierMessage
  | { readonly type: 'knowledge'; readonly id: number; readonly question: KnowledgeQuestion }
  | { readonly type: 'prepare-knowledge'; readonly repositoryIds: readonly string[] }
  | { readonly type: 'find-speech'; readonly id: number; readonly lookup: SpeechLookup }
  | { readonly type: 'warm-speech'; readonly agentId: string }
  | { readonly type: 'passed-over'; readonly message: PassedOverMessage }
  /** Whether sound leaves in time from now on. */
  | { readonly type: 'punctuality'; readonly keepsTime: boolean }
  /** Engines are ready that are loaded at the start, or that were expected to be needed. */
  | { readonly type: 'warm'; readonly what: EnginesAhead }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn'
      readonly fields: Readonly<Record<string, unknown>>
      readonly message: string
    }
