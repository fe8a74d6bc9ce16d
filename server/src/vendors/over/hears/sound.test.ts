// What a vendor gets of the line's audio: rate, encoding, chunks.
import { expect, it } from 'vitest'
import { makeFrame } from '../../../media/frame.ts'
import { encodeMuSample } from '../../../media/g711.ts'
import { SoundEncoder, type SoundTaken } from './sound.ts'

const line = { model: '', rateHz: 8_000, endpointingMs: 500 } as const

function sent(encoder: SoundEncoder, frames: number): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let n = 0; n < frames; n++) {
    const frame = makeFrame(8_000)
    frame.samples.fill(1_000)
    encoder.push(frame, (sound) => chunks.push(sound))
  }
  encoder.flush((sound) => chunks.push(sound))
  return chunks
}

it('is the line’s own PCM, frame by frame, unless something else is asked for', () => {
  const chunks = sent(new SoundEncoder(line, {}), 2)
  expect(chunks.map(({ length }) => length)).toEqual([320, 320])
  expect(new Int16Array(chunks[1]?.slice().buffer ?? new ArrayBuffer(0))).toEqual(
    new Int16Array(160).fill(1_000),
  )
})

it('is µ-law where the agent asks for it and the vendor takes it', () => {
  const taken = { encodings: ['linear16', 'mulaw'] } as const
  const [chunk] = sent(new SoundEncoder({ ...line, encoding: 'mulaw' }, taken), 1)
  expect(chunk).toEqual(new Uint8Array(160).fill(encodeMuSample(1_000)))
  expect(new SoundEncoder({ ...line, encoding: 'mulaw' }, {}).encoding).toBe('linear16')
})

it('has chunks as long as the vendor wants them, the last one shorter', () => {
  const chunks = sent(new SoundEncoder(line, { chunkMs: 50 }), 4)
  expect(chunks.map(({ length }) => length)).toEqual([960, 320])
})

it.each<[number | undefined, SoundTaken['rates'], number]>([
  [16_000, undefined, 16_000],
  [undefined, undefined, 8_000],
  [11_025, undefined, 8_000],
  [16_000, [24_000], 24_000],
  [48_000, [16_000, 8_000], 8_000],
])('at %s Hz of %s is sent at %s Hz', (samplingRateHz, rates, sentHz) => {
  const encoder = new SoundEncoder({ ...line, samplingRateHz }, { rates })
  expect(encoder.rateHz).toBe(sentHz)
  expect(sent(encoder, 1)[0]?.length).toBe((sentHz / 1000) * 20 * 2)
})
