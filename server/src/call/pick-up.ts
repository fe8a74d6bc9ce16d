// Connects the engines while the telephone rings; when the call is answered, opens the transcriber and the recording, and
// starts audio in both directions.
import type { RateHz } from '../media/frame.ts'
import type { CallPlan } from '../ports/call-plan.ts'
import type { Line } from '../ports/line.ts'
import type { RecordingSink } from '../ports/recording.ts'
import type { TranscriberOptions } from '../ports/transcriber.ts'
import type { CallParts } from './call-parts.ts'
import { faultSentence } from './contain.ts'
import { Recognition } from './listen/recognition.ts'
import type { PerformContext } from './perform.ts'
import { Recorder } from './record/recorder.ts'
import type { Voice } from './speak/speaker.ts'
import { type Aside, TwoWay } from './two-way-audio.ts'

export interface AnsweredCall {
  /** The time of the answer. For a resumed call: when its first part would have been answered on this clock. */
  readonly atMs: number
  readonly recognition: Recognition
  readonly recorder: Recorder
  readonly sound: TwoWay
}

export interface PickUp {
  readonly plan: CallPlan
  readonly parts: CallParts
  readonly line: Line
  readonly context: PerformContext
  readonly comfort: (samples: Int16Array) => void
  readonly aside: () => Aside | undefined
}

export function pickUp(given: PickUp): AnsweredCall {
  const { plan, parts, line, context, comfort, aside } = given
  const beganMs = context.clock.nowMs
  const atMs = beganMs - (plan.resumed?.elapsedMs ?? 0)
  const { output, conversation, arrivals } = context
  conversation.begin(atMs)
  const onNote = (note: string) => parts.onUpdate({ type: 'note', note })
  const recorder = new Recorder(openRecording(parts, line, onNote), onNote, plan.turn.consent !== null)
  const recognition = openRecognition(given, beganMs, onNote)
  const sound = new TwoWay({
    rateHz: line.rateHz,
    answeredMs: beganMs,
    recognition,
    output,
    recorder,
    arrivals,
    send: (frame) => line.send(frame),
    comfort,
    recordsApart: plan.guardRails.mask.length === 0,
    aside,
  })
  return { atMs, recognition, recorder, sound }
}

export const transcriberOptions = (
  plan: CallPlan,
  { transcriber }: Pick<CallParts, 'transcriber'>,
  rateHz: RateHz,
): TranscriberOptions => ({
  model: plan.transcriber.model,
  language: plan.transcriber.language,
  rateHz,
  ...plan.transcriber.options,
  endpointingMs: plan.turn.endpointingMs,
  // A tone covers these words in the recording.
  ...(plan.guardRails.records && plan.guardRails.mask.length > 0 && { wordTimes: true }),
  ...(transcriber.abilities.keyterms && { keyterms: plan.transcriber.keyterms }),
})

function openRecording(
  parts: CallParts,
  line: Line,
  onNote: (note: string) => void,
): RecordingSink | undefined {
  try {
    return parts.recording?.(line.rateHz)
  } catch (error) {
    onNote(`The recording could not begin: ${faultSentence(error)}`)
    return undefined
  }
}

function openRecognition(
  { plan, parts, line, context }: PickUp,
  beganMs: number,
  onNote: (note: string) => void,
): Recognition {
  const { transcriber, detector } = parts
  const { dispatch, partials, output, callerLanguage, conversation } = context
  return new Recognition(
    {
      transcriber,
      detector,
      beganMs,
      options: transcriberOptions(plan, parts, line.rateHz),
      recentWords: () => output.recentWords(),
    },
    {
      onVoiceStart: (atMs, sure) => dispatch({ type: 'voice-start', atMs, sure }),
      onVoiceEnd: (atMs) => dispatch({ type: 'voice-end', atMs }),
      onTimes: (words) => conversation.heardWords.add(words),
      onWords(type, text) {
        if (text) partials.tell('user', text)
        dispatch({ type, text })
      },
      onLanguage(language) {
        callerLanguage.take(language)
        dispatch({ type: 'language', language })
      },
      onTurnDetection: (detection) => dispatch({ type: 'turn-detection', detection }),
      onEndOfTurn: (is) => dispatch({ type: 'end-of-turn', is }),
      onBeep: () => dispatch({ type: 'beep' }),
      onInformationTones: () => dispatch({ type: 'information-tones' }),
      onNote,
      onFailure: (error) => dispatch({ type: 'recognition-failed', error }),
    },
  )
}

/** Warms up both engines, which are closed with the call's other parts. A failure shows again when they are needed. */
export function warmUpEngines(
  plan: CallPlan,
  parts: CallParts,
  { synthesizer, ...voice }: Voice,
  rateHz: RateHz,
): void {
  const { signal } = new AbortController()
  const heard = transcriberOptions(plan, parts, rateHz)
  for (const warm of [() => synthesizer.warm?.(voice, signal), () => parts.transcriber.warm?.(heard, signal)])
    void Promise.resolve()
      .then(warm)
      .catch(() => {})
}
