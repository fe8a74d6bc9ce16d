// The engines, the line and everything else a call needs besides its plan.
import type { Frame, RateHz } from '../media/frame.ts'
import type { CallUpdate, EngineChoice, UsageOfSpeech } from '../ports/call.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Line, LineListener } from '../ports/line.ts'
import type { RecordingSink } from '../ports/recording.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { CallVariables, ToolBox } from '../ports/tools.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { VoiceDetector } from '../ports/voice-detector.ts'

/** The time of the last tick of a call. Only the session advances it. */
export interface Clock {
  readonly nowMs: number
  /** How much later the tick came, because the machine was busy; absent: not at all. */
  readonly lateMs?: number
}

export interface CallParts {
  /** Dials, or joins a call that has arrived. */
  readonly connect: (listener: LineListener) => Line
  readonly transcriber: Transcriber
  readonly synthesizer: Synthesizer
  readonly voice: string
  /** The voice for a caller who turned out to speak this language; undefined: the same for all. */
  readonly voiceIn?: ((language: string) => string) | undefined
  readonly detector: VoiceDetector
  /** Whether the engines can be used at once: no number is dialled and no call answered before. Absent: they can. */
  readonly isLoaded?: (() => boolean) | undefined
  readonly model: LanguageModel
  readonly tools: ToolBox
  /** The variables that tools may set. Absent: the values of the plan, which nothing changes. */
  readonly variables?: CallVariables | undefined
  readonly recording?: ((rateHz: RateHz) => RecordingSink) | undefined
  /** Background noise under the agent's voice, by frame number; frames are read-only. */
  readonly ambience?: ((rateHz: RateHz) => (frameNumber: number) => Frame) | undefined
  readonly engines: readonly EngineChoice[]
  /** What each speech engine was given so far. */
  readonly speechUsage?: (() => readonly UsageOfSpeech[]) | undefined
  readonly onUpdate: (update: CallUpdate) => void
  /** Called when the call is over: closes what was opened for it. */
  readonly release?: (() => void) | undefined
}
