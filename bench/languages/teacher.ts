// What Kokoro-82M itself would be given to say: the front end that it was trained with (hexgrad/misaki), as far as
// Debian has the programs that it is made of.
import { kokoroLanguages } from '../../server/src/engines/kokoro/languages.ts'
import { phoneticText } from '../../server/src/engines/pronunciation/phonetic.ts'
import { espeakPhonemes, espeakVoices, hasEspeak } from './espeak.ts'

/** A sentence as a text of sounds, which our voice says as they are; the sentence itself if ours are the same. */
type Teacher = (sentence: string) => Promise<string>

const absent: Readonly<Record<string, string>> = {
  ja: 'none: its dictionary, UniDic, takes 5 GB in Debian',
  zh: 'none: its pypinyin is not in Debian',
}

/** Finds the front end, or returns one sentence why there is none. */
export async function findTeacher(language: string): Promise<Teacher | string> {
  const [own, voice] = [kokoroLanguages[language], espeakVoices[language]]
  if (!own || !voice) return absent[language] ?? 'none'
  if (!(await hasEspeak())) return 'none: espeak-ng is not installed'
  const { normalise, loadPronounce } = own
  const pronounce = await loadPronounce({})
  return async (sentence) => {
    const written = normalise(sentence)
    const sounds = await soundsOf(written, (clause) => espeakPhonemes(clause, voice))
    return pronounce(sounds) === pronounce(written) ? sentence : sounds
  }
}

/** Marks stay as they are: the voice knows them as pauses and melody. */
async function soundsOf(sentence: string, phonemesOf: (clause: string) => Promise<string>): Promise<string> {
  const pieces = sentence.split(/([;:,.!?—…])/)
  const said = await Promise.all(
    pieces.map(async (piece) => {
      if (!/\p{L}/u.test(piece)) return piece
      const words = (await phonemesOf(piece)).split(' ')
      return ` ${words.map(phoneticText).join(' ')}`
    }),
  )
  return said.join('').trim()
}
