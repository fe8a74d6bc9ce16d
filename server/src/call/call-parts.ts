// The engines, the line and the rest of what a call needs besides its plan.
import type { Frame, RateHz } from '../media/frame.ts'
import type { CallUpdate, EngineChoice } from '../ports/call.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Line, LineListener } from '../ports/line.ts'
import type { RecordingSink } from '../ports/recording.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { ToolBox } from '../ports/tools.ts'
import type { Transcriber } from '../ports/transcriber.ts'
import type { VoiceDetector } from '../ports/voice-detector.ts'

export interface CallParts {
  /** Dials, or joins what is already there. */
  readonly connect: (listener: LineListener) => Line
  readonly transcriber: Transcriber
  readonly synthesizer: Synthesizer
  readonly voice: string
  readonly detector: VoiceDetector
  readonly model: LanguageModel
  readonly tools: ToolBox
  readonly recording?: ((rateHz: RateHz) => RecordingSink) | undefined
  /** The noise of a room to speak in, by frame number; each frame is only read. */
  readonly ambience?: ((rateHz: RateHz) => (frameNumber: number) => Frame) | undefined
  readonly engines: readonly EngineChoice[]
  readonly onUpdate: (update: CallUpdate) => void
}
