// The engines of a call: those that its agent asks for, or those that we have instead.
import { ambienceOf, chooseTrack } from '../adapters/ambience.ts'
import { openToolBox } from '../adapters/tools/tool-box.ts'
import type { CallParts } from '../call/session.ts'
import type { CallUpdate, EngineChoice } from '../ports/call.ts'
import type { CallPlan, SynthesizerPlan, TranscriberPlan } from '../ports/call-plan.ts'
import { openRecording } from '../resources/calls/recording-file.ts'
import { assembleMind } from './assemble-mind.ts'
import type { MediaRuntime } from './media-runtime.ts'

/** The agent insists on an engine that is not to be had. */
export class EngineUnavailable extends Error {
  readonly choice: EngineChoice

  constructor(choice: EngineChoice) {
    super(choice.why ?? 'An engine is missing.')
    this.choice = choice
  }
}

export interface CallAssembly {
  readonly plan: CallPlan
  readonly connect: CallParts['connect']
  readonly runtime: MediaRuntime
  readonly onUpdate: (update: CallUpdate) => void
}

export function assembleCall(assembly: CallAssembly): CallParts {
  const { plan, connect, runtime, onUpdate } = assembly
  const { engines, config, guard } = runtime
  const note = (sentence: string) => onUpdate({ type: 'note', note: sentence })
  const { model, choice: mind } = assembleMind(plan, runtime, note)
  const choices = [earsOf(plan.transcriber), voiceOf(plan.synthesizer, engines.voices.engine), mind]
  const refused = choices.find(({ part, asked, why }) => part !== 'language-model' && asked && why)
  if (refused && config.engineFallback === 'fail') throw new EngineUnavailable(refused)
  for (const { used, why } of choices) if (why) note(`Using ${used}: ${why.replace(/\.$/, '')}.`)

  return {
    connect,
    transcriber: engines.transcriber,
    synthesizer: engines.synthesizer,
    voice: engines.voices.pick(plan.synthesizer),
    detector: engines.detector,
    model,
    tools: openToolBox(plan.tools, { guard, variables: plan.variables }),
    recording: () => openRecording(runtime.recordingsFolder, plan.sessionId),
    ambience: ambience(plan.ambienceTrack, note),
    engines: choices,
    onUpdate,
  }
}

const notConnected = (vendor: string, instead: string) =>
  `No credentials for ${vendor} are configured here, so ${instead} is used.`

function earsOf({ asked, language }: TranscriberPlan): EngineChoice {
  const why = [
    ...(asked ? [notConnected(asked, 'the offline recognizer')] : []),
    ...englishOnly(language, 'understands'),
  ]
  return { part: 'transcriber', asked, used: 'moonshine', why: why.join(' ') || null }
}

function voiceOf({ asked, language }: SynthesizerPlan, used: string): EngineChoice {
  const why = [
    ...(asked ? [notConnected(asked, 'the offline voice')] : []),
    ...englishOnly(language, 'speaks'),
  ]
  return { part: 'synthesizer', asked, used, why: why.join(' ') || null }
}

const englishOnly = (language: string | undefined, verb: string): string[] =>
  language === undefined || /^en/i.test(language) ? [] : [`It ${verb} English only, not ${language}.`]

function ambience(wanted: string | null, note: (sentence: string) => void): CallParts['ambience'] {
  if (wanted === null) return undefined
  const { track, why } = chooseTrack(wanted)
  if (why) note(why)
  return ambienceOf(track)
}
