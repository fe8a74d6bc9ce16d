// Rime: one text at a time over one socket. Nothing is synthesized before a flush (segment=never), and `done` follows it.
//
//   → {text, contextId} · {operation: flush} · {operation: clear}
//   ← chunk (base64) · timestamps, from the beginning of the flushed text · done · error
//
// `clear` drops what was not flushed; what is being synthesized goes on until its `done`.
import { z } from 'zod'
import type { SynthesizerOptions } from '../../ports/synthesizer.ts'
import { listedWords, WordLists } from '../over/speaks/dialect.ts'
import { voiceOf, within } from '../over/speaks/options.ts'
import { socketVoices } from '../over/speaks/over-socket.ts'
import { oneAtATime, type TurnMessage } from '../over/speaks/turns.ts'
import { readVendorMessage } from '../over/wire/passed-over.ts'
import { writtenLanguage } from '../over/written-language.ts'
import { account, usualModel, usualVoice } from './account.ts'
import { isMist, speaksOptions } from './own-options.ts'

// docs.rime.ai/docs/voices, as of 2026-11. Coda takes codes of two letters; the Mist models those of three, and speak fewer.
const spoken = ['en', 'es', 'fr', 'de', 'pt', 'ja']
const mistLanguages: Readonly<Record<string, string>> = { en: 'eng', es: 'spa', fr: 'fra', de: 'ger' }

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('chunk'), data: z.string() }),
  z.object({ type: z.literal('timestamps'), word_timestamps: WordLists }),
  z.object({ type: z.literal('done') }),
  z.object({ type: z.literal('error'), message: z.string().optional() }),
])

const languageOf = ({ model, language }: Pick<SynthesizerOptions, 'model' | 'language'>) => {
  const code = writtenLanguage(language, { region: 'never' }) ?? ''
  if (isMist(model)) return mistLanguages[code]
  return spoken.find((one) => one === code)
}

export const speaks = socketVoices(account, {
  abilities: { streaming: true, clauseEnds: true, wordTimes: true, languages: spoken },
  options: {
    voice: '`speaker`',
    voiceId: '`speaker`',
    language: '`lang`',
    model: '`modelId`',
    temperature: '`temperature`, from 0 to 1, of coda',
    speed: '`timeScaleFactor` of coda, `speedAlpha` of the Mist models',
  },
  ownOptions: speaksOptions,
  lacks: ({ model, language }) =>
    isMist(model)
      ? ['temperature', ...(language && !languageOf({ model, language }) ? (['language'] as const) : [])]
      : [],
  connect: (options, given) => account.socket(given, '/ws3', queryOf(options)),
  sharing: 'when-cleared',
  begin: (contextId, { rateHz }) =>
    oneAtATime({
      rateHz,
      speak: (clause) => [JSON.stringify({ text: `${clause} `, contextId }), '{"operation":"flush"}'],
      cancel: () => '{"operation":"clear"}',
      decode,
    }),
})

function queryOf(options: SynthesizerOptions) {
  const model = options.model || usualModel
  const speed = within(0.5, 2, options.speed)
  return {
    speaker: voiceOf(options, usualVoice),
    modelId: model,
    audioFormat: 'pcm',
    samplingRate: options.rateHz,
    segment: 'never',
    lang: languageOf(options),
    temperature: isMist(model) ? undefined : within(0, 1, options.temperature),
    // Both are factors of length: smaller is faster.
    [isMist(model) ? 'speedAlpha' : 'timeScaleFactor']: speed === undefined ? undefined : lengthAt(speed),
    ...speaksOptions.query('generative', options),
    ...speaksOptions.query('mist', options),
  }
}

const lengthAt = (speed: number): number => Math.round(1000 / speed) / 1000

function decode(raw: unknown): readonly TurnMessage[] {
  const message = readVendorMessage(Message, raw)
  switch (message.type) {
    case 'chunk':
      return [{ type: 'sound', pcm: Buffer.from(message.data, 'base64') }]
    case 'timestamps':
      return [{ type: 'words', words: listedWords(message.word_timestamps) }]
    case 'done':
      return [{ type: 'done' }]
    case 'error':
      return [{ type: 'failed', reason: message.message ?? '' }]
  }
}
