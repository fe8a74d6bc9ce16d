// The voice detector on real speech and real noise, at both rates and with many calls at once.
import { afterAll, expect, it } from 'vitest'
import {
  type Clip,
  clipsAbsent,
  framesOf,
  overTelephone,
  readClips,
  resampled,
} from '../../../test/props/engines/clips.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import type { RateHz } from '../../media/frame.ts'
import { holdMusic } from '../../media/hold-music.ts'
import type { VoiceDetector, VoiceEvent } from '../../ports/voice-detector.ts'
import { silero } from '../models/catalogue.ts'
import { sileroDetector } from './silero.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero)
const skipped = absent ?? clipsAbsent
const clips = readClips()
const windowMs = 32

const samplesOf = (wanted: string): Int16Array =>
  clips.find(({ name }) => name === wanted)?.samples ?? expect.fail(wanted)

/** Writes as fast as the detector hears, and returns what it said. */
async function hear(detector: VoiceDetector, samples: Int16Array, rateHz: RateHz): Promise<VoiceEvent[]> {
  const events: VoiceEvent[] = []
  let heardMs = 0
  let wake = () => {}
  const stream = detector.open(rateHz, (event) => {
    events.push(event)
    if (event.type === 'failed') throw new Error(event.reason)
    heardMs = Math.max(heardMs, event.atMs)
    wake()
  })
  let writtenMs = 0
  for (const frame of framesOf(samples, rateHz)) {
    stream.write(frame)
    writtenMs += 20
    while (writtenMs - heardMs > 3 * windowMs) await new Promise<void>((done) => (wake = done))
  }
  while (writtenMs - heardMs >= windowMs) await new Promise<void>((done) => (wake = done))
  stream.close()
  return events
}

const probabilities = (events: VoiceEvent[]) =>
  events.flatMap((event) => (event.type === 'probability' ? [event.probability] : []))

/** Windows with speech: in a clean recording, those within 35 dB of the loudest. */
function spoken({ samples, said }: Clip): boolean[] {
  const size = (16_000 / 1000) * windowMs
  const powers = Array.from({ length: Math.floor(samples.length / size) }, (_, place) =>
    samples.subarray(place * size, (place + 1) * size).reduce((sum, sample) => sum + sample * sample, 0),
  )
  const loud = Math.max(...powers) / 10 ** 3.5
  return powers.map((power) => said !== '' && power > loud)
}

function f1(pairs: readonly { truth: boolean; heard: boolean }[]): number {
  const count = (truth: boolean, heard: boolean) =>
    pairs.filter((pair) => pair.truth === truth && pair.heard === heard).length
  return (2 * count(true, true)) / (2 * count(true, true) + count(false, true) + count(true, false))
}

describeUnless(skipped, 'the voice detector', () => {
  const detector = sileroDetector({ folder })
  afterAll(() => detector.close())

  it.each([
    ['16 kHz', 16_000 as const, (samples: Int16Array) => samples],
    ['8 kHz µ-law', 8_000 as const, overTelephone],
  ])('distinguishes speech from noise at %s', async (name, rateHz, carried) => {
    const pairs = []
    for (const clip of clips) {
      const heard = probabilities(await hear(detector, carried(clip.samples), rateHz))
      pairs.push(...spoken(clip).map((truth, place) => ({ truth, heard: (heard[place] ?? 0) >= 0.5 })))
    }
    console.log(`voice activity at ${name}: F1 ${f1(pairs).toFixed(3)} over ${pairs.length} windows`)
    expect(f1(pairs)).toBeGreaterThan(0.85)
  })

  it('hears the same in a batch as alone, also beside streams of the other rate', async () => {
    const speech = samplesOf('lv_0870').subarray(0, 48_000)
    const noise = samplesOf('noise_street').subarray(0, 48_000)
    const alone = probabilities(await hear(detector, speech, 16_000))
    const [batched] = await Promise.all([
      hear(detector, speech, 16_000),
      ...Array.from({ length: 10 }, () => hear(detector, noise, 16_000)),
      ...Array.from({ length: 5 }, () => hear(detector, overTelephone(speech), 8_000)),
    ])
    const apart = probabilities(batched ?? []).map((probability, place) => probability - (alone[place] ?? 0))
    expect(apart.length).toBe(alone.length)
    expect(Math.max(...apart.map(Math.abs))).toBeLessThan(0.001)
  })

  it('finds where a sentence begins and ends between two silences', async () => {
    const sentence = samplesOf('lv_0880')
    const samples = new Int16Array(sentence.length + 2 * 16_000)
    samples.set(sentence, 16_000)
    const edges = (await hear(detector, samples, 16_000)).filter(({ type }) => type.startsWith('speech'))
    const first = edges[0]
    const last = edges.at(-1)
    expect(first).toMatchObject({ type: 'speech-start' })
    expect(last).toMatchObject({ type: 'speech-end' })
    const startMs = first && 'atMs' in first ? first.atMs : 0
    const endMs = last && 'atMs' in last ? last.atMs : 0
    expect(startMs).toBeGreaterThan(900)
    expect(endMs - startMs).toBeGreaterThan(1000)
    expect(endMs).toBeLessThan(samples.length / 16)
  })

  it('does not take music on hold for speech, over a telephone', async () => {
    const music = holdMusic(16_000)
    const tenSeconds = Int16Array.from({ length: 160_000 }, (_, place) => music[place % music.length] ?? 0)
    const events = await hear(detector, overTelephone(tenSeconds), 8_000)
    expect(probabilities(events).length).toBeGreaterThan(300)
    expect(events.filter(({ type }) => type.startsWith('speech'))).toEqual([])
  })

  it('hears a browser at 48 kHz', async () => {
    const sentence = samplesOf('cards_005')
    const heard = probabilities(await hear(detector, resampled(sentence, 16_000, 48_000), 48_000))
    expect(Math.max(...heard)).toBeGreaterThan(0.9)
  })

  it('drops the oldest windows of a stream it cannot keep up with, and keeps positions correct', async () => {
    const atMs: number[] = []
    const stream = detector.open(
      16_000,
      (event) => void (event.type === 'probability' && atMs.push(event.atMs)),
    )
    for (const frame of framesOf(new Int16Array(160_000), 16_000)) stream.write(frame)
    while (atMs.at(-1) !== 9984) await new Promise((done) => setTimeout(done, 5))
    // One in progress, eight queued.
    expect(atMs.length).toBe(9)
    stream.close()
  })

  it('open streams are notified when it closes', async () => {
    const other = sileroDetector({ folder })
    const events: VoiceEvent[] = []
    const stream = other.open(8_000, (event) => events.push(event))
    await other.close()
    stream.write({ samples: new Int16Array(160), rateHz: 8_000 })
    expect(events).toEqual([{ type: 'failed', reason: 'the voice detector is closed' }])
  })
})
