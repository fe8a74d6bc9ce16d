// Speech over a bad line: 20 % loss, 100 ms of jitter, packets that overtake and repeat each other. It is understood.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moonshine } from '../../src/engines/models/catalogue.ts'
import { moonshineTranscriber } from '../../src/engines/moonshine/moonshine.ts'
import { clipsAbsent, readClips } from '../props/engines/clips.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { errorRate, wordErrors } from '../props/engines/word-errors.ts'
import { overLine } from '../props/sip/over-line.ts'
import { badLine, Spoiler } from '../props/sip/spoiler.ts'
import { describeUnless } from '../props/unless.ts'

const models = await modelsAtHand(process.env.PARLEY_MODELS_DIR, moonshine)
const clips = readClips()
  .filter(({ name }) => name.startsWith('lv_'))
  .slice(0, 3)

describeUnless(clipsAbsent ?? models.absent, 'speech over a bad line', () => {
  let ear: ReturnType<typeof moonshineTranscriber>
  beforeAll(() => {
    ear = moonshineTranscriber({ folder: models.folder })
  })
  afterAll(() => ear.close())

  const errors = async (hears: (samples: Int16Array, clip: number) => Promise<Int16Array>) => {
    const counts = []
    for (const [i, { samples, said }] of clips.entries())
      counts.push(wordErrors(said, (await ear.transcribe(await hears(samples, i))).text))
    return errorRate(counts)
  }

  describe.each(['PCMU', 'opus'] as const)('%s', (codec) => {
    it('is understood', async () => {
      const clean = await errors(async (samples) => (await overLine(samples, { codec })).samples)
      const spoilers: Spoiler[] = []
      const spoiled = await errors(async (samples, clip) => {
        const there = new Spoiler(badLine, 71 + clip)
        spoilers.push(there)
        const { samples: heard, stats } = await overLine(samples, {
          codec,
          there,
          back: new Spoiler(badLine, 9),
        })
        // It was as bad as it should be, and the line says so.
        expect(stats.packetsLost / (stats.packetsReceived + stats.packetsLost)).toBeGreaterThan(0.1)
        expect(stats.opinionScore).toBeLessThan(3.3)
        return heard
      })
      expect(spoilers.every(({ lost, repeated }) => lost > 0 && repeated > 0)).toBe(true)
      expect(clean).toBeLessThan(0.2)
      // Half of the words would be a conversation that cannot be held.
      expect(spoiled).toBeLessThan(0.5)
    })
  })
})
