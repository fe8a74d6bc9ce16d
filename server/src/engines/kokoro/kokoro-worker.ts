// The Kokoro worker: a normalised sentence in, audio at the line's rate out.
import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { RateHz } from '../../media/frame.ts'
import { serveEngine } from '../engine/serve-engine.ts'
import { phonemeIds } from '../pronunciation/phonemes.ts'
import { type EnglishFiles, loadEnglish } from '../pronunciation/pronounce.ts'
import { cutToVoice, resampledSound, type Sound } from '../voice/sound.ts'
import type { AnyKokoroVoice } from './languages.ts'
import { type KokoroLanguage, kokoroLanguageOf } from './languages.ts'

export interface KokoroLoad extends EnglishFiles {
  /** The parts in the order in which they form one file. */
  readonly parts: readonly string[]
  /** The cores per sentence. */
  readonly cores: number
}

export interface KokoroSentence {
  readonly text: string
  readonly voice: {
    readonly name: AnyKokoroVoice
    readonly file: string
    /** The files of the language's dictionary, if there are any. */
    readonly dictionary: Readonly<Record<string, string>>
  }
  readonly rateHz: RateHz
}

const kokoroHz = 24_000
// Each voice has one style vector per number of phonemes, which bounds the length of a sentence.
const styleWidth = 256
const mostPhonemes = 509
const padding = 0

serveEngine<KokoroLoad, KokoroSentence, Sound>(async ({ parts, dictionary, letterToSound, cores }) => {
  const whole = Buffer.concat(await Promise.all(parts.map((part) => readFile(part))))
  const session = await InferenceSession.create(whole, { intraOpNumThreads: cores, interOpNumThreads: 1 })
  const pronounceEnglish = await loadEnglish({ dictionary, letterToSound })
  const styles = new Map<string, Float32Array>()

  async function stylesOf(file: string): Promise<Float32Array> {
    const known = styles.get(file)
    if (known) return known
    const read = new Float32Array(Uint8Array.from(await readFile(file)).buffer)
    styles.set(file, read)
    return read
  }

  const pronounces = new Map<KokoroLanguage, ReturnType<KokoroLanguage['loadPronounce']>>()

  async function phonemesOf(text: string, voice: KokoroSentence['voice']): Promise<readonly number[]> {
    const language = kokoroLanguageOf(voice.name)
    if (!language) return [...pronounceEnglish(text)].flatMap((phoneme) => phonemeIds[phoneme] ?? [])
    const loaded = pronounces.get(language) ?? language.loadPronounce(voice.dictionary)
    pronounces.set(language, loaded)
    return [...(await loaded)(text)].flatMap((symbol) => symbolIds[symbol] ?? [])
  }

  return {
    async answer({ text, voice, rateHz }) {
      const numbers = (await phonemesOf(text, voice)).slice(0, mostPhonemes)
      if (numbers.length === 0) return new Int16Array()
      const from = numbers.length * styleWidth
      const style = (await stylesOf(voice.file)).slice(from, from + styleWidth)
      const ids = BigInt64Array.from([padding, ...numbers, padding], BigInt)
      const { waveform } = await session.run({
        input_ids: new Tensor('int64', ids, [1, ids.length]),
        style: new Tensor('float32', style, [1, styleWidth]),
        speed: new Tensor('float32', [1], [1]),
      })
      const samples = to16Bit(waveform?.data as Float32Array, kokoroGains[voice.name])
      return resampledSound(cutToVoice(samples, kokoroHz), kokoroHz, rateHz)
    },
    moved: (sound) => [sound.buffer],
    release: () => session.release(),
  }
})

const to16Bit = (wave: Float32Array, gain: number) =>
  Int16Array.from(wave, (sample) => Math.max(-1, Math.min(1, sample * gain)) * 32_767)

// The gains bring each voice to -23 LUFS, measured on two sentences of its language. As they are, the loudest is 9 dB above
// the quietest, and a caller would notice when the language changes.
const kokoroGains: Readonly<Record<AnyKokoroVoice, number>> = {
  af_heart: 0.91,
  af_bella: 0.9,
  af_nicole: 0.82,
  af_kore: 0.58,
  af_sarah: 0.71,
  am_michael: 0.99,
  am_fenrir: 0.6,
  am_puck: 0.55,
  bf_emma: 0.66,
  bm_george: 0.82,
  ef_dora: 0.99,
  em_alex: 0.93,
  ff_siwis: 0.65,
  hf_alpha: 0.46,
  hf_beta: 0.53,
  hm_omega: 0.5,
  if_sara: 0.34,
  im_nicola: 0.63,
  jf_alpha: 0.7,
  jm_kumo: 0.74,
  pf_dora: 1.01,
  pm_alex: 0.93,
  zf_xiaobei: 0.72,
  zf_xiaoxiao: 0.45,
  zm_yunjian: 0.76,
}

const runs: readonly (readonly [first: number, symbols: string])[] = [
  [1, ';:,.!?'],
  [9, '—…"()“” \u0303ʣʥʦʨᵝꭧ'],
  [24, 'AI'],
  [43, 'abcdef'],
  [50, 'hijklmnopqrstuvwxyzɑɐɒæ'],
  [75, 'βɔɕç'],
  [80, 'ɖðʤə'],
  [85, 'ɚɛɜ'],
  [101, 'ɨɪʝ'],
  [110, 'ɯɰŋɳɲɴø'],
  [118, 'ɸθœ'],
  [128, 'ʁɽʂʃʈʧ'],
  [135, 'ʊʋ'],
  [138, 'ʌɣɤ'],
  [142, 'χʎ'],
  [147, 'ʒʔ'],
  [156, 'ˈˌː'],
  [171, '→↗↘'],
]
const single: Readonly<Record<string, number>> = {
  // Diphthongs, and a long s, are one symbol each.
  O: 31,
  S: 35,
  W: 39,
  Y: 41,
  ɟ: 90,
  ɡ: 92,
  ɥ: 99,
  ɹ: 123,
  ɾ: 125,
  ɻ: 126,
  ʰ: 162,
  ʲ: 164,
  '↓': 169,
}

const symbolIds: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    runs.flatMap(([first, symbols]) => [...symbols].map((symbol, place) => [symbol, first + place])),
  ),
  ...single,
}
