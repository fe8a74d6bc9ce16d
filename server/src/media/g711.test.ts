// G.711 against the decision values of the Recommendation and against independent implementations.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { describeUnless } from '../../test/props/unless.ts'
import { decodeG711, encodeG711, type Law, silenceByte } from './g711.ts'

const everySample = Int16Array.from({ length: 65_536 }, (_, i) => i - 32_768)
const everyByte = Uint8Array.from({ length: 256 }, (_, i) => i)
const laws: readonly Law[] = ['mu', 'a']

const encode = (law: Law, samples: Int16Array) => {
  const bytes = new Uint8Array(samples.length)
  encodeG711(law, samples, bytes)
  return bytes
}
const decode = (law: Law, bytes: Uint8Array) => {
  const samples = new Int16Array(bytes.length)
  decodeG711(law, bytes, samples)
  return samples
}

/** The positive half of the Recommendation's tables, step by step, in 16-bit units. */
function table(law: Law) {
  const unit = law === 'mu' ? 4 : 8
  const levels: number[] = []
  const decisions: number[] = []
  let edge = law === 'mu' ? -1 : 0
  for (let n = 0; n < 128; n++) {
    const width = law === 'mu' ? 2 ** (1 + (n >> 4)) : 2 ** Math.max(1, n >> 4)
    levels.push((edge + width / 2) * unit)
    edge += width
    decisions.push(edge * unit)
  }
  return { levels, decisions }
}

/** Bytes 0x80 … 0xff carry the positive values: µ-law counts down from 0xff, A-law inverts alternate bits. */
const levelOfByte = (law: Law, byte: number) => {
  const index = law === 'mu' ? ~byte & 0x7f : (byte ^ 0x55) & 0x7f
  const level = table(law).levels[index] ?? Number.NaN
  return byte & 0x80 ? level : -level
}

describe.each(laws)('G.711 %s-law', (law) => {
  it('decodes every byte to the level of the Recommendation', () => {
    expect([...decode(law, everyByte)].map((value) => value + 0)).toEqual(
      [...everyByte].map((byte) => levelOfByte(law, byte) + 0),
    )
  })

  it('encodes every sample by the decision values of the Recommendation', () => {
    const { levels, decisions } = table(law)
    const expected = everySample.map((sample) => {
      // A tie at a decision value rounds outwards in µ-law and upwards in A-law.
      const magnitude = sample >= 0 ? sample : law === 'mu' ? -sample : -sample - 1
      const index = decisions.findIndex((decision) => magnitude < decision)
      const level = levels[index === -1 ? 127 : index] as number
      return sample < 0 ? -level : level
    })
    expect(decode(law, encode(law, everySample))).toEqual(expected)
  })

  it('round-trips every byte, except the negative zero of µ-law', () => {
    const back = encode(law, decode(law, everyByte))
    const changed = [...everyByte].filter((byte) => back[byte] !== byte)
    expect(changed).toEqual(law === 'mu' ? [0x7f] : [])
  })

  it('loses nothing more in a second pass', () => {
    const once = decode(law, encode(law, everySample))
    expect(decode(law, encode(law, once))).toEqual(once)
  })

  it('encodes silence as the byte nearest to zero', () => {
    expect(encode(law, new Int16Array(1))[0]).toBe(silenceByte[law])
  })
})

/** Python shipped Sun's implementation until 3.12. */
const audioop = (call: string, input: Uint8Array): Buffer | undefined => {
  const program = `import sys, audioop; sys.stdout.buffer.write(audioop.${call}(sys.stdin.buffer.read(), 2))`
  const { status, stdout } = spawnSync('python3', ['-W', 'ignore', '-c', program], { input })
  return status === 0 ? stdout : undefined
}
const ffmpeg = (law: Law, input: Uint8Array): Buffer | undefined => {
  const format = law === 'mu' ? 'mulaw' : 'alaw'
  const args = ['-v', 'error', '-f', format, '-ar', '8000', '-i', 'pipe:0', '-f', 's16le', 'pipe:1']
  const { status, stdout } = spawnSync('ffmpeg', args, { input })
  return status === 0 ? stdout : undefined
}
const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
const hasAudioop = audioop('lin2ulaw', new Uint8Array(2)) !== undefined
const hasFfmpeg = ffmpeg('mu', new Uint8Array(2)) !== undefined

describeUnless(hasAudioop ? undefined : 'this Python has no audioop', 'beside the audioop of Python', () => {
  it.each(laws)('decodes %s-law to the same samples', (law) => {
    expect(audioop(law === 'mu' ? 'ulaw2lin' : 'alaw2lin', everyByte)).toEqual(
      bytesOf(decode(law, everyByte)),
    )
  })
  it('encodes A-law to the same bytes', () => {
    expect(audioop('lin2alaw', bytesOf(everySample))).toEqual(Buffer.from(encode('a', everySample)))
  })
  it('encodes every 14-bit value to the same µ-law byte', () => {
    const fourteenBits = everySample.filter((sample) => sample % 4 === 0)
    expect(audioop('lin2ulaw', bytesOf(fourteenBits))).toEqual(Buffer.from(encode('mu', fourteenBits)))
  })
})

describeUnless(hasFfmpeg ? undefined : 'ffmpeg is not installed', 'beside ffmpeg', () => {
  it.each(laws)('decodes %s-law to the same samples', (law) => {
    expect(ffmpeg(law, everyByte)).toEqual(bytesOf(decode(law, everyByte)))
  })
})
