import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeG711 } from './g711.ts'
import { interleave, wavHeader } from './wav.ts'
import { parseWav, WavError } from './wav-parse.ts'

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))
const u16 = (value: number) => [value & 255, (value >> 8) & 255]
const u32 = (value: number) => [...u16(value & 0xffff), ...u16(value >>> 16)]
const part = (name: string, body: number[], size = body.length) => [...ascii(name), ...u32(size), ...body]
const riff = (...parts: number[][]) =>
  Uint8Array.from([...ascii('RIFF'), ...u32(0), ...ascii('WAVE'), ...parts.flat()])

interface Shape {
  code?: number
  channels?: number
  rateHz?: number
  bits?: number
  stepBytes?: number
}
const format = ({
  code = 1,
  channels = 1,
  rateHz = 8_000,
  bits = 16,
  stepBytes = (channels * bits) / 8,
}: Shape = {}) => [
  ...u16(code),
  ...u16(channels),
  ...u32(rateHz),
  ...u32(rateHz * stepBytes),
  ...u16(stepBytes),
  ...u16(bits),
]
const bytesOf = (samples: Int16Array) =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
const file = (header: Uint8Array, samples: Int16Array) => Uint8Array.from([...header, ...bytesOf(samples)])

describe('a WAV that we wrote', () => {
  it('is read back sample by sample, caller left and agent right', () => {
    fc.assert(
      fc.property(fc.int16Array({ maxLength: 50 }), (left) => {
        const right = left.map((sample) => ~sample)
        const stereo = new Int16Array(left.length * 2)
        interleave(left, right, stereo)
        const wav = parseWav(file(wavHeader({ rateHz: 16_000, channels: 2 }, stereo.byteLength), stereo))
        expect(wav).toEqual({ rateHz: 16_000, channels: [left, right] })
      }),
    )
  })

  it('is read to its end if the writer died before writing the size', () => {
    const sound = Int16Array.of(1, 2, 3)
    expect(parseWav(file(wavHeader({ rateHz: 8_000, channels: 1 }), sound)).channels).toEqual([sound])
  })

  it('keeps its header length when the size is filled in', () => {
    const shape = { rateHz: 8_000, channels: 2 } as const
    expect(wavHeader(shape, 1_000).length).toBe(wavHeader(shape).length)
    const view = new DataView(wavHeader(shape, 1_000).buffer)
    expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([1_036, 1_000])
  })
})

describe('a WAV by other writers', () => {
  it('may contain unknown chunks, even of odd length', () => {
    const bytes = riff(part('LIST', [1, 2, 3]), [0], part('fmt ', format()), part('data', [5, 0, 6, 0]))
    expect([...(parseWav(bytes).channels[0] ?? [])]).toEqual([5, 6])
  })

  it.each([
    [6, 'a'],
    [7, 'mu'],
  ] as const)('may be G.711 (format %i)', (code, law) => {
    const body = [0, 1, 0x7f, 0x80, 0xff]
    const expected = new Int16Array(5)
    decodeG711(law, Uint8Array.from(body), expected)
    const bytes = riff(part('fmt ', format({ code, bits: 8 })), part('data', body))
    expect(parseWav(bytes).channels[0]).toEqual(expected)
  })

  it('may be float, and overflow or NaN does no harm', () => {
    const body = new Uint8Array(Float32Array.of(0, 0.5, -1, 7, Number.NaN, Number.NEGATIVE_INFINITY).buffer)
    const bytes = riff(part('fmt ', format({ code: 3, bits: 32 })), part('data', [...body]))
    expect([...(parseWav(bytes).channels[0] ?? [])]).toEqual([0, 16_384, -32_768, 32_767, 0, -32_768])
  })

  it('may be extensible', () => {
    const extension = [...u16(22), ...u16(16), ...u32(3), ...u16(1), ...Array<number>(14).fill(0)]
    const bytes = riff(
      part('fmt ', [...format({ code: 0xfffe, channels: 2 }), ...extension]),
      part('data', [1, 0, 2, 0]),
    )
    expect(parseWav(bytes).channels.map((channel) => [...channel])).toEqual([[1], [2]])
  })
})

describe('a malformed WAV', () => {
  const data = part('data', [1, 0])
  it.each([
    ['no bytes', new Uint8Array(), 'not a WAV'],
    ['another format', Uint8Array.from(ascii('ID3 and much more text')), 'not a WAV'],
    ['only its header', riff(), 'no data part'],
    ['data before its format', riff(data), 'before it says'],
    ['a fmt chunk that is too short', riff(part('fmt ', [1, 0, 1, 0]), data), 'has 4 bytes'],
    [
      'an extensible chunk that is too short',
      riff(part('fmt ', format({ code: 0xfffe })), data),
      'extensible',
    ],
    ['a chunk larger than the file', riff(part('LIST', [1, 2], 0x7fff_ffff)), 'cut off'],
    ['a stated size beyond its bytes', riff(part('fmt ', format()), part('data', [1, 0], 900)), 'cut off'],
    ['no rate', riff(part('fmt ', format({ rateHz: 0 })), data), '0 samples a second'],
    ['an impossible rate', riff(part('fmt ', format({ rateHz: 4e9 })), data), 'samples a second'],
    ['no channels', riff(part('fmt ', format({ channels: 0, stepBytes: 0 })), data), '0 channels'],
    ['a thousand channels', riff(part('fmt ', format({ channels: 1_000 })), data), '1000 channels'],
    ['sample frames of no bytes', riff(part('fmt ', format({ stepBytes: 0 })), data), '0 bytes a step'],
    ['12 bits', riff(part('fmt ', format({ bits: 12, stepBytes: 2 })), data), '12 bits'],
  ])('with %s is refused with a clear message', (_, bytes, sentence) => {
    expect(() => parseWav(bytes)).toThrow(WavError)
    expect(() => parseWav(bytes)).toThrow(sentence)
  })

  it('yields audio or a WavError, whatever the bytes are', () => {
    const good = file(wavHeader({ rateHz: 8_000, channels: 2 }, 40), new Int16Array(20))
    const flips = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 })
    fc.assert(
      fc.property(flips, fc.nat(good.length), (changes, length) => {
        const bytes = good.slice(0, length)
        for (const [at, value] of changes) if (at < length) bytes[at] = value
        try {
          const { channels } = parseWav(bytes)
          expect(channels.reduce((sum, channel) => sum + channel.length, 0)).toBeLessThanOrEqual(bytes.length)
        } catch (error) {
          expect(error).toBeInstanceOf(WavError)
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
