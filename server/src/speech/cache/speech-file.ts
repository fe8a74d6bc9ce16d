// Kept speech: the key of a file, which is a hash of everything that changes the sound, and the file, which has the sound,
// the times of its words, and a checksum, so that nothing damaged is ever played.
//
//   "PSC1" · SHA-256 of the rest, 32 bytes · length of the words, 4 bytes · words as JSON · 16-bit PCM
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RateHz } from '../../media/frame.ts'
import type { SpokenWord, SynthesizerOptions } from '../../ports/synthesizer.ts'

export interface KeptSpeech {
  readonly words: readonly SpokenWord[]
  /** The sound, at `keptRateHz`. */
  readonly samples: Int16Array
}

const magic = Buffer.from('PSC1')
const hashBytes = 32
const headBytes = magic.length + hashBytes
const lengthBytes = 4

const Words = z.array(z.object({ text: z.string(), startMs: z.number(), endMs: z.number() }))

export function encodeSpeech({ words, samples }: KeptSpeech): Buffer {
  const text = Buffer.from(JSON.stringify(words))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(text.length)
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  const rest = Buffer.concat([length, text, sound])
  return Buffer.concat([magic, sha256(rest), rest])
}

/** Reads a file; undefined if it is damaged. */
export function decodeSpeech(bytes: Uint8Array): KeptSpeech | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const rest = file.subarray(headBytes)
  if (!file.subarray(0, magic.length).equals(magic)) return undefined
  if (!sha256(rest).equals(file.subarray(magic.length, headBytes))) return undefined
  const soundAt = lengthBytes + rest.readUInt32BE(0)
  const words = Words.parse(JSON.parse(rest.subarray(lengthBytes, soundAt).toString()))
  // The samples are copied, because they may not be aligned.
  return { words, samples: new Int16Array(new Uint8Array(rest.subarray(soundAt)).buffer) }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/** Speech is kept at this rate, whatever the line's: it is as good as most vendors make it. */
export const keptRateHz: RateHz = 24_000

// Counted up when a file of an earlier version must not be played: also when a vendor changes its usual voice or
// model, which the options do not name.
const version = 2

interface CachedSpeechSource {
  readonly vendor: string
  /** The vendor's address, where it is not its usual one. */
  readonly baseUrl: string | undefined
  readonly options: Omit<SynthesizerOptions, 'rateHz'>
}

/** The key in hexadecimal. */
export function cachedSpeechKey({ vendor, baseUrl, options }: CachedSpeechSource, text: string): string {
  // The way in which the sound is transferred does not change it.
  const { audioFormat, bufferSize, stream, pronunciations = [], ...voice } = options
  const lower = text.toLowerCase()
  const said = pronunciations.filter(({ written }) => lower.includes(written.toLowerCase()))
  const told = Object.entries(voice)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const all = JSON.stringify([version, keptRateHz, vendor, baseUrl ?? null, told, said, text])
  return createHash('sha256').update(all).digest('hex')
}
