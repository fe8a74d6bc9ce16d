// What the agent asks of whoever transcribes and speaks.
import { type CalledAgent, offlineName } from '@parley/contract'
import type { SynthesizerPlan, TranscriberPlan } from '../../../ports/call-plan.ts'
import { languagesOf } from './turn-rules.ts'

/** null: the engines of this installation. */
const vendorOf = <Name extends string>(part: { provider?: Name | undefined } | undefined) => {
  const name = part?.provider
  return name === undefined || name === offlineName ? null : (name as Exclude<Name, typeof offlineName>)
}

export const readTranscriber = ({ transcriber, language }: CalledAgent): TranscriberPlan => ({
  asked: vendorOf(transcriber),
  model: transcriber?.model ?? '',
  language: transcriber?.language ?? language,
  keyterms: (transcriber?.keywords ?? '')
    .split(',')
    .map((term) => term.trim())
    .filter(Boolean),
  options: {
    samplingRateHz: transcriber?.sampling_rate,
    encoding: transcriber?.encoding,
    task: transcriber?.task,
    stream: transcriber?.stream,
  },
})

export function readSynthesizer(agent: CalledAgent): SynthesizerPlan {
  const { synthesizer } = agent
  const config = (synthesizer?.provider_config ?? {}) as Readonly<Record<string, unknown>>
  const text = (name: string) => (typeof config[name] === 'string' ? config[name] : undefined)
  const number = (name: string) => (typeof config[name] === 'number' ? config[name] : undefined)
  return {
    asked: vendorOf(synthesizer),
    voice: text('voice'),
    voiceId: text('voice_id'),
    model: text('model'),
    language: synthesizer?.language ?? text('language') ?? languagesOf(agent)[0],
    options: {
      engine: text('engine'),
      temperature: number('temperature'),
      similarityBoost: number('similarity_boost'),
      speed: number('speed'),
      audioFormat: synthesizer?.audio_format ?? undefined,
      bufferSize: synthesizer?.buffer_size,
      stream: synthesizer?.stream,
    },
  }
}
