// Each codec there and back, as it goes over a line.
import { afterAll, describe, expect, it } from 'vitest'
import { Resampler } from '../../../media/resample.ts'
import { codecNames, codecs } from './codecs.ts'
import type { Coder } from './coder.ts'
import { opusPacketMs } from './opus.ts'

/** Two tones and a slow swell: enough to tell whether sound survived, at any rate. */
const sound = (rateHz: number, ms: number) =>
  Int16Array.from({ length: (rateHz * ms) / 1_000 }, (_, i) => {
    const t = i / rateHz
    return (
      6_000 *
      (0.6 + 0.4 * Math.sin(9 * t)) *
      (Math.sin(2 * Math.PI * 440 * t) + 0.5 * Math.sin(2 * Math.PI * 1_250 * t))
    )
  })

/** The signal over what differs from it, at the delay where they match best, in dB. */
function likeness(original: Int16Array, heard: Int16Array, mostDelay: number): number {
  let best = Number.NEGATIVE_INFINITY
  for (let delay = 0; delay <= mostDelay; delay++) {
    let [signal, noise] = [0, 0]
    for (let i = 1_600; i + delay < heard.length; i++) {
      const [wanted, got] = [original[i] as number, heard[i + delay] as number]
      signal += wanted * wanted
      noise += (wanted - got) ** 2
    }
    best = Math.max(best, 10 * Math.log10(signal / noise))
  }
  return best
}

const opened: Coder[] = []
const open = async (name: (typeof codecNames)[number]) => {
  const coder = await codecs[name].open()
  opened.push(coder)
  return coder
}
afterAll(() => {
  for (const coder of opened) coder.close?.()
})

const packets = (coder: Coder, samples: Int16Array, packetSamples: number) => {
  const made: Uint8Array[] = []
  const buffer = new Uint8Array(1_500)
  for (let at = 0; at + packetSamples <= samples.length; at += packetSamples) {
    const bytes = coder.encode(samples.subarray(at, at + packetSamples), buffer, 12)
    made.push(buffer.slice(12, 12 + bytes))
  }
  return made
}

describe.each(codecNames)('%s', (name) => {
  const { rateHz } = codecs[name]
  const original = sound(rateHz, 1_500)

  it.each([10, 20, 30, 40, 60])('sounds the same after packets of %i ms', async (wantedMs) => {
    const coder = await open(name)
    coder.configure?.(null)
    const packetSamples = (codecs[name].ptimeMs(wantedMs) * rateHz) / 1_000
    const heard = packets(coder, original, packetSamples).flatMap((payload) => {
      expect(coder.decoder.samplesIn(payload, 0, payload.length)).toBe(packetSamples)
      return [...coder.decoder.decode(payload, 0, payload.length)]
    })
    // Opus keeps the sound, not the wave: what it loses is where the ear does not listen.
    expect(likeness(original, Int16Array.from(heard), 200)).toBeGreaterThan(name === 'opus' ? 8 : 18)
  })

  it('decodes what stands in the middle of a packet, and bears anything', async () => {
    const { decoder, encode } = await open(name)
    const payload = new Uint8Array(400)
    const bytes = encode(original.subarray(0, rateHz / 50), payload, 20)
    expect(decoder.decode(payload, 20, 20 + bytes)).toHaveLength(rateHz / 50)
    for (let length = 0; length < 40; length++) {
      const noise = Uint8Array.from({ length }, (_, i) => (i * 151 + length * 31) & 0xff)
      expect(() => decoder.decode(noise, 0, length)).not.toThrow()
      expect(decoder.samplesIn(noise, 0, length)).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('Opus', () => {
  it('recovers a lost packet from the next one if the far end asked for it', async () => {
    const samples = sound(16_000, 3_000)
    const error = async (parameters: string) => {
      const coder = await open('opus')
      coder.configure?.(parameters)
      coder.expectLoss?.(0.3)
      const payloads = packets(coder, samples, 320)
      const whole = await open('opus')
      const clean = payloads.map((payload) => whole.decoder.decode(payload, 0, payload.length).slice())
      let noise = 0
      payloads.forEach((payload, i) => {
        if (i % 4 === 2) return
        if (i % 4 === 3) {
          const found = coder.decoder.recover?.(payload, 0, payload.length, 320) ?? new Int16Array(320)
          noise += found.reduce((sum, sample, at) => sum + (sample - (clean[i - 1]?.[at] ?? 0)) ** 2, 0)
        }
        coder.decoder.decode(payload, 0, payload.length)
      })
      return noise
    }
    expect(await error('useinbandfec=1')).toBeLessThan(0.5 * (await error('useinbandfec=0')))
  })

  it('sends no more than the far end plays', async () => {
    const size = async (parameters: string) => {
      const coder = await open('opus')
      coder.configure?.(parameters)
      return packets(coder, sound(16_000, 1_000), 320).reduce((sum, { length }) => sum + length, 0)
    }
    const most = await size('')
    expect(await size('maxaveragebitrate=12000')).toBeLessThan(0.7 * most)
    expect(await size('maxaveragebitrate=500000')).toBeGreaterThan(0.9 * most)
    const coder = await open('opus')
    coder.configure?.('maxplaybackrate=8000')
    // The bandwidth is in the first byte: below 4, narrow band of the speech mode (RFC 6716 §3.1).
    const narrow = packets(coder, sound(16_000, 400), 320).at(-1) as Uint8Array
    expect((narrow[0] as number) >> 3).toBeLessThan(4)
  })

  it('knows the length of every kind of packet', () => {
    const ms = (...bytes: number[]) => opusPacketMs(Uint8Array.from(bytes), 0, bytes.length)
    expect([0, 1, 2, 3].map((config) => ms(config << 3))).toEqual([10, 20, 40, 60])
    expect([12, 13, 14, 15].map((config) => ms(config << 3))).toEqual([10, 20, 10, 20])
    expect([28, 29, 30, 31].map((config) => ms(config << 3))).toEqual([2.5, 5, 10, 20])
    expect(ms((1 << 3) | 1)).toBe(40)
    expect(ms((1 << 3) | 3, 3)).toBe(60)
    expect(ms((3 << 3) | 3, 3)).toBe(0)
    expect(ms((1 << 3) | 3)).toBe(0)
    expect(opusPacketMs(new Uint8Array(0), 0, 0)).toBe(0)
  })
})

describe('G.722', () => {
  it('carries what G.711 cannot: the upper half of speech', async () => {
    const high = Int16Array.from(
      { length: 8_000 },
      (_, i) => 8_000 * Math.sin((2 * Math.PI * 5_500 * i) / 16_000),
    )
    const coder = await open('G722')
    const heard = packets(coder, high, 320).flatMap((payload) => [
      ...coder.decoder.decode(payload, 0, payload.length),
    ])
    const energy = (samples: readonly number[]) => samples.reduce((sum, sample) => sum + sample ** 2, 0)
    expect(energy(heard.slice(2_000))).toBeGreaterThan(0.5 * energy([...high.subarray(2_000)]))
    const narrow = new Resampler(16_000, 8_000)
    const frame = new Int16Array(160)
    narrow.run(high.subarray(0, 320), frame)
    narrow.run(high.subarray(320, 640), frame)
    expect(energy([...frame])).toBeLessThan(0.01 * energy([...high.subarray(0, 320)]))
  })
})
