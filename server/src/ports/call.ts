// The reports of a call while it runs, and its outcome. The plan that it is made from is in call-plan.ts.
import type { ModelUsage } from './language-model.ts'
import type { CarrierCause, Codec, LineQuality, TransferMode } from './line.ts'

export type LiveStatus = 'initiated' | 'ringing' | 'in-progress'
export type EndStatus = 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled'

export type TerminatedBy = 'user' | 'agent' | 'system' | 'carrier' | 'api' | 'transfer'

export type HangupReason =
  | 'user_hangup'
  | 'agent_hangup'
  | 'end_call_tool'
  | 'inactivity_timeout'
  | 'max_duration_reached'
  | 'voicemail_detected'
  | 'transfer_completed'
  | 'dial_busy'
  | 'dial_no_answer'
  | 'dial_failed'
  | 'trunk_unreachable'
  | 'api_stopped'
  | 'llm_error'
  | 'stt_error'
  | 'tts_error'
  | 'telephony_error'
  | 'worker_lost'

/** Who picked up. `unavailable`: an announcement that nobody can be reached. */
export type AnsweredBy = 'human' | 'voicemail' | 'ivr' | 'screening' | 'unavailable' | 'unknown'

/** A passage of the knowledge base that was looked up. */
export interface PassageSource {
  readonly documentId: string
  readonly chunkId: string
  readonly title: string
  readonly score: number
}

/** An entry of the transcript; times are seconds from the answer. */
export interface TranscriptEntry {
  readonly turn: number
  readonly role: 'agent' | 'user' | 'tool'
  readonly content: string
  readonly startSeconds: number
  readonly endSeconds: number
  readonly interrupted: boolean
  /** The node of the agent's graph, if it has one. */
  readonly nodeId?: string | undefined
  /** The passages that the agent's words are based on; empty: none answered. Absent: nothing was looked up. */
  readonly sources?: readonly PassageSource[] | undefined
  readonly tool?: { readonly name: string; readonly arguments: unknown }
  /** The times of its parts, where these are known more exactly; not part of the record. */
  readonly parts?: readonly TimedPart[] | undefined
}

/** A part of an entry; times are seconds from the answer. */
export interface TimedPart {
  readonly text: string
  readonly startSeconds: number
  readonly endSeconds: number
}

/** The latency from the caller's last sound to the agent's first. Null: this turn had no such stage. */
export interface TurnLatency {
  readonly turn: number
  readonly endpointingMs: number | null
  readonly sttMs: number | null
  readonly llmMs: number | null
  readonly ttsMs: number | null
  readonly totalMs: number
  /** The times of the steps, for traces; not part of the record. */
  readonly times?: TurnTimes | undefined
}

/**
 * The times of the steps of a turn in milliseconds: from the answer in an outcome, on the call's own clock in an
 * update. Undefined: there was no such step.
 */
export interface TurnTimes {
  /** The caller's last sound. */
  readonly endMs: number
  /** The final words of the transcriber. */
  readonly wordsMs: number
  /** The decision that the turn was over. */
  readonly decidedMs: number
  /** The question to the model: before the decision, if it was thinking ahead. */
  readonly askedMs: number | undefined
  /** The first part of the model's answer: text or a tool call. */
  readonly firstTokenMs: number | undefined
  /** The first clause, when it was complete and went to the synthesizer. */
  readonly voicedMs: number | undefined
  readonly soundMs: number | undefined
  /** The agent's first sound on the line. */
  readonly heardMs: number
}

export interface CallUsage {
  readonly sttSeconds: number
  readonly llmInputTokens: number
  readonly llmOutputTokens: number
  /** The characters given to a synthesizer. */
  readonly ttsCharacters: number
  /** The characters played from kept speech, not counted above. */
  readonly ttsCachedCharacters?: number | undefined
  /** The models, in the order in which they first answered. */
  readonly models: readonly UsageOfModel[]
  /** What each speech engine was given, without what was kept from an earlier call. Absent: not counted. */
  readonly speech?: readonly UsageOfSpeech[] | undefined
}

/** What one speech engine was given. */
export interface UsageOfSpeech {
  readonly part: 'transcriber' | 'synthesizer'
  /** The name as in the choice of engines. */
  readonly name: string
  readonly seconds: number
  readonly characters: number
}

/** The usage of the requests to one model; the input includes what was cached. */
export interface UsageOfModel extends Omit<ModelUsage, 'isAborted'> {
  readonly requests: number
  /** Requests that were ended before their answer was complete, because the caller went on or interrupted. */
  readonly abortedRequests: number
}

/** The engine that did the work. `why`: one or more sentences, if it is not the one that the agent asked for. */
export interface EngineChoice {
  readonly part: 'transcriber' | 'synthesizer' | 'language-model' | 'analysis'
  readonly asked: string | null
  readonly used: string
  readonly why: string | null
  /** The model that is asked, for traces; not part of the record. Undefined: no language model is asked. */
  readonly asks?: AskedModel | undefined
}

/** The model that is asked first; another one may answer when it fails. */
export interface AskedModel {
  /** The vendor by the name that agents use. */
  readonly provider: string
  /** The model's name in requests. */
  readonly model: string
}

export type CallUpdate =
  | { readonly type: 'status'; readonly status: LiveStatus }
  /** The words so far, while they are said; replaced by the next update of the same role. */
  | { readonly type: 'partial'; readonly role: 'agent' | 'user'; readonly text: string }
  | { readonly type: 'transcript'; readonly entry: TranscriptEntry }
  | { readonly type: 'latency'; readonly latency: TurnLatency }
  | {
      readonly type: 'tool'
      readonly name: string
      readonly phase: 'started' | 'finished' | 'failed' | 'discarded'
      readonly detail: string | null
    }
  /** A conversation has come to this node of its graph. */
  | { readonly type: 'node'; readonly nodeId: string }
  /** Variables that a tool has set. */
  | { readonly type: 'variables'; readonly variables: Readonly<Record<string, string>> }
  /** Sound that left late since the last such update: frames, and how many of them were the first of a saying. */
  | { readonly type: 'late-sound'; readonly frames: number; readonly firstSounds: number }
  /** A sentence for the call record: an interruption, a resumed sentence, an engine that failed. */
  | { readonly type: 'note'; readonly note: string }

/** What those who watch a call are told. */
export type ReportedUpdate = Exclude<CallUpdate, { readonly type: 'late-sound' }>

export interface LineRecord {
  /** The last codec in use; null: the call was never answered. */
  readonly codec: Codec | null
  /** The carrier's own cause of the end; null: we hung up, or it gave none. */
  readonly carrierCause: CarrierCause | null
  /** The quality of the line; null: not measured. */
  readonly quality: LineQuality | null
  /** The last transfer that was tried. */
  readonly transfer: TransferRecord | null
  /** Frames of 20 ms that left late or not at all, because the machine was busy. Absent: so few that nobody minded. */
  readonly lateFrames?: number | undefined
}

export type TransferOutcome = 'completed' | 'busy' | 'no-answer' | 'declined' | 'failed'

export interface TransferRecord {
  /** The name of the destination; null: it was not one of the agent's. */
  readonly destination: string | null
  readonly to: string
  /** The mode: `warm` if the agent spoke to the target first. */
  readonly mode: 'cold' | 'warm'
  /** The method: `blind` if the carrier took over, `bridged` if both lines were joined here. */
  readonly method: TransferMode
  readonly outcome: TransferOutcome
  /** The reason for a failure as one sentence; null if the transfer was completed. */
  readonly reason: string | null
  /** The time from the beginning of the transfer to its outcome. */
  readonly seconds: number
}

export interface CallOutcome {
  readonly status: EndStatus
  readonly terminatedBy: TerminatedBy
  readonly hangupReason: HangupReason
  readonly errorMessage: string | null
  readonly answeredBy: AnsweredBy | null
  /** Milliseconds from the start of the session to the answer; null: the call was never answered. */
  readonly answeredAfterMs: number | null
  /** The time from the answer to the end; 0 when the call was never answered. */
  readonly durationSeconds: number
  readonly callSid: string | null
  /** The carrier's name. */
  readonly provider?: string | undefined
  /** The record of the line; absent: there was no line. */
  readonly line?: LineRecord | undefined
  readonly transcript: readonly TranscriptEntry[]
  readonly latency: readonly TurnLatency[]
  readonly usage: CallUsage
  readonly engines: readonly EngineChoice[]
  /** The variables that tools have saved. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Whether a recording was kept, and if one was expected, why not. */
  readonly recorded: boolean
}
