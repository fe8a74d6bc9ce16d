// The pieces of a sentence: they fit together, whoever decodes them.
import { afterAll, expect, it } from 'vitest'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { EnginePool } from '../engine/engine-pool.ts'
import { fetchModel } from '../models/fetch-model.ts'
import { pronunciation } from '../models/kokoro.ts'
import type { PieceQuestion, WrenLoad, WrenPiece, WrenSentence } from './wren-worker.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)

const sentence: WrenSentence = {
  text: 'We are all away, all year long, in our lovely old villa near the river.',
  voice: 'heart',
  rateHz: 8_000,
}
const frameSamples = 160

describeUnless(absent, 'the pieces of a sentence', () => {
  const open = () =>
    new EnginePool<WrenLoad, PieceQuestion, WrenPiece>({
      name: 'the speech synthesizer',
      file: new URL('./wren-worker.ts', import.meta.url),
      prepare: () => fetchModel(pronunciation, { folder }),
      moved: ({ into }) => [into.buffer],
      queueLength: 1,
    })
  const pool = open()
  afterAll(() => pool.close())

  async function decoded(
    by: typeof pool,
    { wrenFrames, framesGiven = 0, id = 1 }: { wrenFrames: number; framesGiven?: number; id?: number },
  ) {
    const pieces: Int16Array[] = []
    for (let given = framesGiven, isLast = false; !isLast; ) {
      const question = { id, sentence, framesGiven: given, wrenFrames, into: new Int16Array(0), forget: [] }
      const piece = await by.ask(() => question)
      pieces.push(piece.into.slice(piece.from, piece.to))
      given += (piece.to - piece.from) / frameSamples
      isLast = piece.isLast
    }
    return pieces
  }

  const whole = async () => joinedPieces(await decoded(pool, { wrenFrames: 10_000 }))

  it.each([16, 32, 160])(
    'of %i frames are together what decoding it at once gives, so a seam cannot click',
    async (wrenFrames) => {
      const pieces = await decoded(pool, { wrenFrames })
      expect(pieces.length).toBeGreaterThan(1)
      // The networks add their sums in another order; a difference of 1 is the rounding to 16 bits.
      expect(largestDifference(joinedPieces(pieces), await whole())).toBeLessThanOrEqual(1)
    },
  )

  it('go on where they were if the thread was released in between', async () => {
    const [first = new Int16Array()] = await decoded(pool, { wrenFrames: 32, id: 2 })
    const fresh = open()
    const framesGiven = first.length / frameSamples
    const rest = await decoded(fresh, { wrenFrames: 48, framesGiven, id: 2 })
    await fresh.close()
    expect(largestDifference(joinedPieces([first, ...rest]), await whole())).toBeLessThanOrEqual(1)
  })

  it('are written into the buffer that came with the question, if it is long enough', async () => {
    const into = new Int16Array(100_000)
    const question = { id: 3, sentence, framesGiven: 0, wrenFrames: 32, into, forget: [] }
    const piece = await pool.ask(() => question)
    expect(piece.into.length).toBe(100_000)
    expect(piece.to).toBeGreaterThan(0)
  })
})

function joinedPieces(pieces: readonly Int16Array[]): Int16Array {
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return samples
}

function largestDifference(one: Int16Array, other: Int16Array): number {
  expect(one.length).toBe(other.length)
  return one.reduce((most, sample, place) => Math.max(most, Math.abs(sample - (other[place] ?? 0))), 0)
}
