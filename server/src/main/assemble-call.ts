// Who plays what in a call: the engines that its agent asks for, or those that we have instead.
import type { AgentConfig } from '@parley/contract'
import { ambienceOf, chooseTrack } from '../adapters/ambience.ts'
import { openToolBox } from '../adapters/tools/tool-box.ts'
import type { CallParts } from '../call/session.ts'
import { valuesFor } from '../call/turn/rules.ts'
import { localTime } from '../platform/clock/local-time.ts'
import type { CallOrder, CallUpdate, EngineChoice } from '../ports/call.ts'
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
  readonly order: CallOrder
  readonly connect: CallParts['connect']
  readonly runtime: MediaRuntime
  readonly onUpdate: (update: CallUpdate) => void
}

export function assembleCall(assembly: CallAssembly): CallParts {
  const { order, connect, runtime, onUpdate } = assembly
  const { agent, sessionId } = order
  const { engines, config } = runtime
  const note = (sentence: string) => onUpdate({ type: 'note', note: sentence })
  const systemVariables = timeWords(agent)
  const variables = valuesFor(order, systemVariables)
  const { model, choice: mind } = assembleMind(order, runtime, variables, note)
  const tools = openToolBox(agent.api_tools, { guard: runtime.guard, variables })
  const choices = [earsOf(agent), voiceOf(agent, engines.voices.engine), mind]
  const refused = choices.find(({ part, asked, why }) => part !== 'language-model' && asked && why)
  if (refused && config.engineFallback === 'fail') throw new EngineUnavailable(refused)
  const instead = choices.flatMap(({ used, why }) => (why ? [`Using ${used}: ${why}.`] : []))
  for (const sentence of [...instead, ...tools.problems]) note(sentence)

  return {
    connect,
    transcriber: engines.transcriber,
    synthesizer: engines.synthesizer,
    voice: engines.voices.pick(askedVoice(agent)),
    detector: engines.detector,
    model,
    tools,
    recording: () => openRecording(runtime.recordingsFolder, sessionId),
    ambience: ambience(agent, note),
    engines: choices,
    onUpdate,
    systemVariables,
  }
}

const notConnected = (vendor: string, instead: string) =>
  `No credentials for ${vendor} are configured here, so ${instead} is used.`

function earsOf({ transcriber, language }: AgentConfig): EngineChoice {
  const used = 'moonshine'
  const asked = transcriber?.provider ?? null
  const why = [
    ...(asked ? [notConnected(asked, 'the offline recognizer')] : []),
    ...englishOnly(transcriber?.language ?? language, 'understands'),
  ]
  return { part: 'transcriber', asked, used, why: why.join(' ') || null }
}

function voiceOf({ synthesizer, language }: AgentConfig, used: string): EngineChoice {
  const asked = synthesizer?.provider ?? null
  const why = [
    ...(asked ? [notConnected(asked, 'the offline voice')] : []),
    ...englishOnly(synthesizer?.language ?? language, 'speaks'),
  ]
  return { part: 'synthesizer', asked, used, why: why.join(' ') || null }
}

const englishOnly = (language: string | undefined, verb: string): string[] =>
  language === undefined || /^en/i.test(language) ? [] : [`It ${verb} English only, not ${language}.`]

function askedVoice({ synthesizer }: AgentConfig) {
  const { voice, voice_id } = (synthesizer?.provider_config ?? {}) as Record<string, unknown>
  return { voice: wordOf(voice), voiceId: wordOf(voice_id) }
}

const wordOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function ambience({ task_config }: AgentConfig, note: (sentence: string) => void): CallParts['ambience'] {
  if (!task_config?.ambient_noise) return undefined
  const { track, why } = chooseTrack(task_config.ambient_noise_track)
  if (why) note(why)
  return ambienceOf(track)
}

function timeWords({ timezone }: AgentConfig) {
  const { date, time, timezone: zone } = localTime(new Date(), timezone)
  return { current_date: date, current_time: time, timezone: zone }
}
