// Detects the language of a recording: whisper listens to the first pieces until it is confident.
import type { Whisper } from '../whisper/whisper.ts'
import type { PcmFile } from './pcm-file.ts'
import type { Piece } from './pieces.ts'

export interface FoundLanguage {
  readonly language: string
  readonly confidence: number | null
}

const sureEnough = 0.9
const mostPieces = 4

/** Null: there is no speech. */
export async function findLanguage(
  pieces: AsyncIterable<Piece>,
  file: PcmFile,
  whisper: Pick<Whisper, 'languages'>,
  signal: AbortSignal,
): Promise<FoundLanguage | null> {
  const sharesIn = (samples: Int16Array) =>
    whisper.languages(samples, signal).catch((cause) => {
      signal.throwIfAborted()
      throw new Error(`the language could not be found out, name it in language: ${reasonOf(cause)}`, {
        cause,
      })
    })
  const shares = new Map<string, number>()
  let [heardMs, count] = [0, 0]
  for await (const { fromMs, toMs } of pieces) {
    const lengthMs = toMs - fromMs
    heardMs += lengthMs
    count++
    for (const { language, probability } of await sharesIn(await file.read(fromMs, toMs)))
      shares.set(language, (shares.get(language) ?? 0) + probability * lengthMs)
    if (count === mostPieces || likeliest(shares, heardMs).confidence >= sureEnough) break
  }
  return count === 0 ? null : likeliest(shares, heardMs)
}

function likeliest(shares: ReadonlyMap<string, number>, heardMs: number) {
  const [[language, share] = ['en', 0]] = [...shares].toSorted(([, a], [, b]) => b - a)
  return { language, confidence: Math.round((share / heardMs) * 1000) / 1000 }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
