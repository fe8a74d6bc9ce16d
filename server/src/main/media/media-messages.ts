// Messages between the main thread and the media thread.
import type { Config } from '../../platform/config.ts'
import type { HandedOver } from '../../ports/arrival.ts'
import type { CallOutcome, CallUpdate } from '../../ports/call.ts'
import type { CallPlan } from '../../ports/call-plan.ts'
import type { KnowledgeQuestion, Passage } from '../../ports/knowledge.ts'
import type { SpeechLookup } from '../../ports/speech-cache.ts'
import type { StopReason } from '../../resources/calls/work.ts'

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
  /** Whether sound leaves in time from now on. */
  | { readonly type: 'punctuality'; readonly keepsTime: boolean }
  /** The engines that are loaded at the start are ready. */
  | { readonly type: 'warm' }
  | {
      readonly type: 'log'
      readonly level: 'info' | 'warn'
      readonly fields: Readonly<Record<string, unknown>>
      readonly message: string
    }
