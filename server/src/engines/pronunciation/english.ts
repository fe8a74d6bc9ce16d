// English pronunciation from two files: the dictionary, and the network for other words.
import { readFile } from 'node:fs/promises'
import { PronouncingDictionary } from './dictionary.ts'
import { LetterToSound, type LetterToSoundWeights } from './letter-to-sound.ts'
import { Pronouncer } from './pronounce.ts'

export interface EnglishFiles {
  readonly dictionary: string
  readonly letterToSound: string
}

/** Turns a sentence in its spoken form into phonemes. */
export type Pronounce = (sentence: string) => string

export async function loadEnglish(files: EnglishFiles): Promise<Pronounce> {
  const entries = JSON.parse(await readFile(files.dictionary, 'utf8')) as Record<string, string[]>
  const weights = JSON.parse(await readFile(files.letterToSound, 'utf8')) as LetterToSoundWeights
  const pronouncer = new Pronouncer(new PronouncingDictionary(entries), new LetterToSound(weights))
  return (sentence) => pronouncer.pronounce(sentence)
}
