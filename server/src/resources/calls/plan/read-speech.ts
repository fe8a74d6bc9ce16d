// Reads what an agent asks of its transcriber and its synthesizer.
import { type CalledAgent, keytermsIn, offlineName, TurnDetectionName } from '@parley/contract'
import { synthesizerNames, transcriberNames } from '@parley/contract/companies'
import { z } from 'zod'
import type { SynthesizerPlan, TranscriberPlan } from '../../../ports/call-plan.ts'
import type { Pronunciation } from '../../../ports/synthesizer.ts'
import type { VoiceWishes } from '../../../ports/voice-wishes.ts'
import { type Fill, hasVariables } from './fill-variables.ts'
import { readGraph, readRoutes } from './read-graph.ts'
import { readGuardRails } from './read-guard-rails.ts'
import { readTelephone } from './read-telephone.ts'
import { languagesOf, turnRules } from './turn-rules.ts'

/** null: the engines of this installation. */
const vendorOf = <Name extends string>(part: { provider?: Name | undefined } | undefined) => {
  const name = part?.provider
  return name === undefined || name === offlineName ? null : (name as Exclude<Name, typeof offlineName>)
}

export const readTranscriber = (
  { transcriber, language, api_tools }: CalledAgent,
  fallbacks: TranscriberPlan['fallbacks'],
): TranscriberPlan => ({
  asked: vendorOf(transcriber),
  model: modelOf(transcriber),
  language: transcriber?.language ?? language,
  keyterms: keytermsIn(transcriber?.keywords ?? ''),
  fallbacks,
  providerConfig: recordIn(recordIn(field(api_tools, 'transcriber')).provider_config),
  options: {
    samplingRateHz: transcriber?.sampling_rate,
    encoding: transcriber?.encoding,
    task: transcriber?.task,
    stream: transcriber?.stream,
    turnDetection: readTurnDetection(api_tools),
  },
})

/** `api_tools.turn_detection`, which is checked when an agent is saved. */
function readTurnDetection(apiTools: unknown): TranscriberPlan['options']['turnDetection'] {
  const { data } = TurnDetectionName.safeParse(field(apiTools, 'turn_detection'))
  return data && ({ vendor: 'engine', parley: 'call' } as const)[data]
}

/** The specification's default is a model of Deepgram's; other vendors use their own. */
function modelOf(transcriber: CalledAgent['transcriber']): string {
  const { model, provider } = transcriber ?? {}
  return provider !== 'deepgram' && model === 'nova-2' ? '' : (model ?? '')
}

/** A row of the pronunciation dictionary. */
export interface StoredPronunciation {
  readonly written: string
  readonly sayAs: string | null
  readonly ipa: string | null
  readonly language: string | null
}

const readPronunciation = ({ written, sayAs, ipa, language }: StoredPronunciation): Pronunciation => ({
  written,
  ...(sayAs !== null && { spokenAs: sayAs }),
  ...(ipa !== null && { ipa }),
  ...(language !== null && { language: language.toLowerCase().split(/[-_]/)[0] }),
})

type Wish<Kind> = {
  [Name in keyof VoiceWishes]: VoiceWishes[Name] extends Kind ? Name : never
}[keyof VoiceWishes]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const recordIn = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

export function readSynthesizer(
  agent: CalledAgent,
  fallbacks: SynthesizerPlan['fallbacks'],
  dictionary: readonly StoredPronunciation[] = [],
): SynthesizerPlan {
  const { synthesizer } = agent
  const config = recordIn(synthesizer?.provider_config)
  const text = (name: Wish<'text'>) =>
    typeof config[name] === 'string' ? config[name] || undefined : undefined
  const number = (name: Wish<'number'>) => (typeof config[name] === 'number' ? config[name] : undefined)
  return {
    asked: vendorOf(synthesizer),
    voice: text('voice'),
    voiceId: text('voice_id'),
    model: text('model'),
    language: synthesizer?.language ?? text('language') ?? languagesOf(agent)[0],
    fallbacks,
    providerConfig: config,
    options: {
      engine: text('engine'),
      temperature: number('temperature'),
      similarityBoost: number('similarity_boost'),
      speed: number('speed'),
      audioFormat: synthesizer?.audio_format ?? undefined,
      bufferSize: synthesizer?.buffer_size,
      stream: synthesizer?.stream,
      ...(dictionary.length > 0 && { pronunciations: dictionary.map(readPronunciation) }),
    },
    keptSentences: vendorOf(synthesizer) && synthesizer?.caching ? fixedSentences(agent) : [],
  }
}

// The sentences that an agent says the same way in every call: no variables, nothing that a model or a caller said.

/** Returns the sentences in the order in which they are heard. */
function fixedSentences(agent: CalledAgent): readonly string[] {
  const fill: Fill = (text) => (hasVariables(text) ? '' : text)
  const { telephone } = readTelephone(agent.api_tools)
  const { guardRails, consent } = readGuardRails(agent.api_tools, fill, languagesOf(agent))
  const { sayings, answering, backchannels } = turnRules(agent, fill, {
    telephone,
    isOutbound: agent.call_type !== 'inbound',
    consent,
  })
  const isGraph = [agent.agent_type, agent.llm_agent.agent_type].includes('graph_agent')
  const { graph } = isGraph ? readGraph(agent.llm_agent, fill) : { graph: null }
  return [
    ...[consent?.question, sayings.greeting, answering?.voicemailMessage, answering?.screeningAnswer],
    ...[sayings.areYouThere, sayings.farewell, sayings.apology, sayings.sayAgain, consent?.refused],
    ...[...sayings.fillers, ...sayings.lookups],
    ...(backchannels ? sayings.backchannels : []),
    ...(guardRails.topics.length > 0 ? [guardRails.refusal] : []),
    ...readRoutes(agent.llm_agent, fill).routes.flatMap(({ answers }) => answers),
    ...[...(graph?.nodes.values() ?? [])].map(({ words }) => words),
  ].filter((sentence, place, all): sentence is string => Boolean(sentence) && all.indexOf(sentence) === place)
}

// `api_tools.fallbacks`: the vendors of speech that an agent goes on with when the one that it names fails.
//
//   {"transcriber": [{"provider": "assembly"}],
//    "synthesizer": [{"provider": "cartesia", "voice_id": "…", "provider_config": {"emotion": "calm"}}]}
//
// What cannot be read is reported and left out.

// Trying more fallbacks would take longer than a caller waits.
const mostFallbacks = 5

const ProviderConfig = z.record(z.string(), z.unknown()).default({})

const Transcriber = z
  .strictObject({
    provider: z.enum(transcriberNames),
    model: z.string().optional(),
    provider_config: ProviderConfig,
  })
  .transform(({ provider, model = '', provider_config: providerConfig }) => ({
    vendor: provider,
    model,
    providerConfig,
  }))

const Synthesizer = z
  .strictObject({
    provider: z.enum(synthesizerNames),
    voice: z.string().optional(),
    voice_id: z.string().optional(),
    model: z.string().optional(),
    provider_config: ProviderConfig,
  })
  .transform(({ provider, voice, voice_id: voiceId, model, provider_config: providerConfig }) => ({
    vendor: provider,
    voice,
    voiceId,
    model,
    providerConfig,
  }))

export function readFallbacks(apiTools: unknown) {
  const written = field(apiTools, 'fallbacks')
  const transcriber = readList(Transcriber, written, 'transcriber')
  const synthesizer = readList(Synthesizer, written, 'synthesizer')
  return {
    transcriber: transcriber.read,
    synthesizer: synthesizer.read,
    problems: [...transcriber.problems, ...synthesizer.problems],
  }
}

function readList<Schema extends z.ZodType>(schema: Schema, written: unknown, name: string) {
  const list = field(written, name)
  if (list === undefined || list === null) return { read: [], problems: [] }
  const place = `api_tools.fallbacks.${name}`
  if (!Array.isArray(list)) return { read: [], problems: [`${place} is not a list and was left out`] }
  const read: z.output<Schema>[] = []
  const problems: string[] = []
  for (const [index, entry] of list.slice(0, mostFallbacks).entries()) {
    const one = schema.safeParse(entry)
    if (one.success) read.push(one.data)
    else
      problems.push(`${place}[${index}] cannot be used and was left out: it needs a provider that is known`)
  }
  if (list.length > mostFallbacks)
    problems.push(`${place} has more than ${mostFallbacks} entries; the others were left out`)
  return { read, problems }
}

const field = (value: unknown, name: string): unknown => recordIn(value)[name]
