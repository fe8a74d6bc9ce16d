// espeak-ng, where Debian's package is installed: the teacher's front end for five languages. It is GPL, so it is a
// program that the benchmark runs, and no part of the product.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Its voices, by our codes. */
export const espeakVoices: Readonly<Record<string, string>> = {
  es: 'es',
  fr: 'fr-fr',
  it: 'it',
  pt: 'pt-br',
  hi: 'hi',
}

// Two signs that it ties together are one symbol of Kokoro's.
const tied: readonly (readonly [string, string])[] = [
  ['a^ɪ', 'I'],
  ['a^ʊ', 'W'],
  ['e^ɪ', 'A'],
  ['o^ʊ', 'O'],
  ['ɔ^ɪ', 'Y'],
  ['d^z', 'ʣ'],
  ['d^ʒ', 'ʤ'],
  ['s^s', 'S'],
  ['t^s', 'ʦ'],
  ['t^ʃ', 'ʧ'],
  // The flapped retroflex; its second sign would be a full stop to the voice.
  ['r.', 'ɽ'],
]

export const hasEspeak = (): Promise<boolean> =>
  run('espeak-ng', ['--version']).then(
    () => true,
    () => false,
  )

/** A clause without punctuation as Kokoro's symbols. */
export async function espeakPhonemes(clause: string, voice: string): Promise<string> {
  const { stdout } = await run('espeak-ng', ['-q', '--ipa', '--tie=^', '-v', voice, '--', clause])
  const plain = tied.reduce((text, [signs, symbol]) => text.replaceAll(signs, symbol), stdout)
  // It notes where it takes a word for one of another language, and marks clitics with hyphens.
  return plain
    .replace(/\([^)]*\)|[\^-]/g, '')
    .trim()
    .replace(/\s+/g, ' ')
}
