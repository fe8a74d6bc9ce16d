// How many pieces whisper needs to detect a language.
import { expect, it } from 'vitest'
import { findLanguage } from './embedded-engine.ts'
import type { PcmFile } from './pcm-file.ts'
import type { RecordingPiece } from './piece-cutter.ts'

const { signal } = new AbortController()
const file: PcmFile = {
  durationMs: 60_000,
  read: async (fromMs, toMs) => new Int16Array((toMs - fromMs) * 16),
  async close() {},
}

async function* pieces(...lengthsMs: readonly number[]): AsyncGenerator<RecordingPiece> {
  let fromMs = 0
  for (const lengthMs of lengthsMs) {
    yield { fromMs, toMs: fromMs + lengthMs, voiced: [] }
    fromMs += lengthMs
  }
}

/** Its probabilities for each piece in turn. */
function whisper(...thoughts: readonly Readonly<Record<string, number>>[]) {
  let asked = 0
  return {
    get asked() {
      return asked
    },
    languages: async () =>
      Object.entries(thoughts[asked++] ?? {}).map(([language, probability]) => ({ language, probability })),
  }
}

it('asks once when the first piece is conclusive', async () => {
  const ears = whisper({ de: 0.97, nl: 0.02 }, { nl: 1 })
  expect(await findLanguage(pieces(5_000, 5_000), file, ears, signal)).toEqual({
    language: 'de',
    confidence: 0.97,
  })
  expect(ears.asked).toBe(1)
})

it('continues while it is not; longer pieces weigh more', async () => {
  const ears = whisper({ de: 0.5, nl: 0.4 }, { nl: 0.8, de: 0.1 })
  expect(await findLanguage(pieces(1_000, 9_000), file, ears, signal)).toEqual({
    language: 'nl',
    confidence: 0.76,
  })
})

it('stops after a few pieces, conclusive or not', async () => {
  const unsure = { fr: 0.4, it: 0.3 }
  const ears = whisper(unsure, unsure, unsure, unsure, unsure, unsure)
  expect(await findLanguage(pieces(...Array<number>(9).fill(2_000)), file, ears, signal)).toMatchObject({
    language: 'fr',
  })
  expect(ears.asked).toBe(4)
})

it('finds no language where nobody speaks', async () => {
  expect(await findLanguage(pieces(), file, whisper(), signal)).toBeNull()
})

it('says what to do when detection fails', async () => {
  const deaf = { languages: () => Promise.reject(new Error('there are no weights')) }
  await expect(findLanguage(pieces(1_000), file, deaf, signal)).rejects.toThrow(
    'the language could not be found out, name it in language: there are no weights',
  )
})
