// The list of offline voices, with a sentence by each, spoken on the first request and kept in memory.
import { wavHeader } from '../../media/wav.ts'
import type { TextSynthesizer, VoiceDescription, VoiceSamples } from '../../ports/synthesizer.ts'
import { kokoroSynthesizer } from '../kokoro/kokoro.ts'
import { type AnyKokoroVoice, genderOfKokoro, kokoroLanguages } from '../kokoro/languages.ts'
import type { Model } from '../models/catalogue.ts'
import { hasModel } from '../models/fetch-model.ts'
import { kokoroVoices, kokoroWeights, kokoroWorldVoices } from '../models/kokoro.ts'
import { kokoro } from '../models/sets.ts'
import { spokenOffline } from '../offline-languages.ts'
import { wrenVoiceNames, wrenVoices } from '../wren/voices.ts'
import { wrenSynthesizer } from '../wren/wren.ts'
import { pickVoice, type VoiceEngine } from './voice-names.ts'

type VoiceRow = Omit<VoiceDescription, 'isDefault'>

const ofWren: readonly VoiceRow[] = wrenVoiceNames.map((name) => ({
  name,
  language: 'en',
  gender: wrenVoices[name].gender,
  engine: 'wren' satisfies VoiceEngine,
}))

const ofKokoro = (name: string, language: string): VoiceRow => ({
  name,
  language,
  gender: genderOfKokoro(name as AnyKokoroVoice),
  engine: 'kokoro' satisfies VoiceEngine,
})

const english = Object.keys(kokoroVoices.files).map((name) => ofKokoro(name, 'en'))

/** The voices that can speak now; of the chosen engine, also those that are still to be fetched. */
export async function listVoices(folder: string, engine: VoiceEngine): Promise<readonly VoiceRow[]> {
  const isHere = async (models: readonly Model[]) =>
    (await Promise.all(models.map((model) => hasModel(model, folder)))).every(Boolean)
  const others = await Promise.all(
    Object.entries(kokoroLanguages).map(async ([language, { letter, dictionary }]) => {
      const needed = [...kokoroWeights, kokoroWorldVoices, ...(dictionary ? [dictionary] : [])]
      if (!spokenOffline.includes(language) || !(await isHere(needed))) return []
      const names = Object.keys(kokoroWorldVoices.files).filter((name) => name.startsWith(letter))
      return names.map((name) => ofKokoro(name, language))
    }),
  )
  return [...ofWren, ...(engine === 'kokoro' || (await isHere(kokoro)) ? english : []), ...others.flat()]
}

const samples: Readonly<Record<string, (name: string) => string>> = {
  en: (name) => `Hello, this is ${name}. Thank you for calling! How can I help you with your booking today?`,
  es: (name) => `Hola, soy ${name}. ¡Gracias por llamar! ¿En qué puedo ayudarle con su reserva?`,
  fr: (name) => `Bonjour, ici ${name}. Merci de votre appel ! Que puis-je faire pour votre réservation ?`,
  it: (name) => `Buongiorno, sono ${name}. Grazie per la chiamata! Come posso aiutarla con la prenotazione?`,
  pt: (name) => `Olá, aqui é ${name}. Obrigado por ligar! Como posso ajudar com a sua reserva?`,
  ja: () => 'お電話ありがとうございます。ご予約について、どのようなご用件でしょうか。',
  zh: () => '您好，感谢您的来电。请问您的预订有什么需要帮忙的吗？',
}

/** The sentence of a sample: `am_michael` introduces himself as Michael. */
export const sampleText = ({ name, language }: VoiceRow): string =>
  (samples[language] ?? samples.en)?.(name.replace(/^.._/, '')) ?? ''

export interface VoiceSampleOptions {
  readonly modelsFolder: string
  readonly engine: VoiceEngine
}

export interface OpenVoiceSamples extends VoiceSamples {
  /** Says any text, as a WAV file. */
  say(text: string, voice: VoiceDescription): Promise<Uint8Array>
  close(): Promise<void>
}

const rateHz = 24_000
// Users who compare voices play them one after the other.
const idleMs = 60_000

export function openVoiceSamples({ modelsFolder: folder, engine }: VoiceSampleOptions): OpenVoiceSamples {
  const synthesizers = {
    wren: wrenSynthesizer({ folder, idleMs }),
    kokoro: kokoroSynthesizer({ folder, idleMs }),
  }
  const samples = new Map<string, Promise<Uint8Array>>()
  const say = (text: string, { name, engine: by }: VoiceDescription) =>
    wavOf(synthesizers[by as VoiceEngine], text, name)

  return {
    async voices() {
      const usual = pickVoice(engine, {})
      const known = await listVoices(folder, engine)
      return known.map((voice) => ({ ...voice, isDefault: voice.name === usual }))
    },
    sampleOf(voice) {
      const known = samples.get(voice.name)
      if (known) return known
      const made = say(sampleText(voice), voice)
      samples.set(voice.name, made)
      // The next request tries again.
      made.catch(() => samples.delete(voice.name))
      return made
    },
    say,
    async close() {
      await Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close()))
    },
  }
}

/** A text as a WAV file at 24 kHz. */
async function wavOf(synthesizer: TextSynthesizer, text: string, voice: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const { samples } of synthesizer.synthesize(
    text,
    { voice, rateHz },
    new AbortController().signal,
  ))
    parts.push(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([wavHeader({ rateHz, channels: 1 }, bytes), ...parts])
}
