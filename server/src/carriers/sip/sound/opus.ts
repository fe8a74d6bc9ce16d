// Opus on telephone lines (RFC 7587): 16 kHz in and out, the library's WebAssembly, lost packets from the next one.
import {
  Application,
  Bandwidth,
  createDecoder,
  createEncoder,
  isOpusError,
  type OpusDecoderHandle,
  type OpusEncoderHandle,
  Signal,
} from 'libopus-wasm'
import type { Coder } from './coder.ts'
import type { PayloadFormat } from './sdp.ts'

const rateHz = 16_000
const samplesPerMs = rateHz / 1_000
// Wide-band speech is transparent from here on (RFC 6716 §2.1.1: 16 to 20 kbit/s, and the repetition takes a third).
const bitrate = 28_000
// The effort, out of 10. More costs processor time and makes no audible difference.
const complexity = 5
// The assumed loss before the first report: enough for the encoder to repeat what matters.
const firstLossPercent = 10
// The most bytes of one frame (RFC 6716 §3.2).
const longestPayload = 1_275
const longestPacketMs = 120
const noSamples = new Int16Array(0)

/** The format in SDP always has two channels at 48 kHz; the parameters say that we take one at 16 kHz. */
export const opusFormat: PayloadFormat = {
  payloadType: 111,
  name: 'OPUS',
  clockHz: 48_000,
  channels: 2,
  parameters: 'useinbandfec=1;maxplaybackrate=16000;sprop-maxcapturerate=16000;stereo=0;sprop-stereo=0',
}

/** The packet length for a wish. Packets have one frame, for which only these lengths exist. */
export const opusPtimeMs = (wantedMs: number): number => [60, 40, 20].find((ms) => ms <= wantedMs) ?? 10

/** The duration of a packet, from its first bytes (RFC 6716 §3.1, §3.2); 0: it is not Opus. */
export function opusPacketMs(payload: Uint8Array, start: number, end: number): number {
  if (end <= start) return 0
  const first = payload[start] as number
  const config = first >> 3
  const frameMs =
    config < 12
      ? ([10, 20, 40, 60][config & 3] as number)
      : config < 16
        ? config & 1
          ? 20
          : 10
        : 2.5 * 2 ** (config & 3)
  const code = first & 3
  if (code === 3 && end - start < 2) return 0
  const frames = code === 0 ? 1 : code < 3 ? 2 : (payload[start + 1] as number) & 0x3f
  const ms = frames * frameMs
  return ms <= longestPacketMs ? ms : 0
}

const bandwidths = [
  [8_000, Bandwidth.Narrowband],
  [12_000, Bandwidth.Mediumband],
] as const

export async function openOpus(): Promise<Coder> {
  const encoder = await createEncoder({
    sampleRate: rateHz,
    channels: 1,
    application: Application.Voip,
    signal: Signal.Voice,
    bitrate,
    complexity,
    maxBandwidth: Bandwidth.Wideband,
    fec: false,
    packetLossPercent: firstLossPercent,
  })
  const decoder = await createDecoder({ sampleRate: rateHz, channels: 1 })
  return {
    encode(samples, payload, at) {
      const packet = encoder.encode(samples, { frameSize: samples.length, maxPacketBytes: longestPayload })
      payload.set(packet, at)
      return packet.length
    },
    decoder: packetDecoder(decoder),
    configure: (parameters) => configure(encoder, parameters ?? ''),
    expectLoss: (share) => encoder.setPacketLossPercent(Math.round(Math.min(1, Math.max(0, share)) * 100)),
    close() {
      encoder.free()
      decoder.free()
    },
  }
}

/** Follows the parameters of the far end (RFC 7587 §6.1). */
function configure(encoder: OpusEncoderHandle, parameters: string): void {
  const numberOf = (name: string) =>
    Number(new RegExp(`(?:^|[;\\s])${name}\\s*=\\s*(\\d+)`, 'i').exec(parameters)?.[1] ?? Number.NaN)
  const mostHz = numberOf('maxplaybackrate')
  const mostBits = numberOf('maxaveragebitrate')
  encoder.setFec(numberOf('useinbandfec') === 1)
  encoder.setMaxBandwidth(bandwidths.find(([hz]) => mostHz <= hz)?.[1] ?? Bandwidth.Wideband)
  // The library takes no less than 6,000.
  encoder.setBitrate(mostBits >= 6_000 ? Math.min(bitrate, mostBits) : bitrate)
  encoder.setVbr(numberOf('cbr') !== 1)
}

function packetDecoder(decoder: OpusDecoderHandle): Coder['decoder'] {
  /** A packet that is not Opus counts as lost. */
  const attempt = (decode: () => Int16Array): Int16Array => {
    try {
      return decode()
    } catch (error) {
      if (isOpusError(error) || error instanceof RangeError) return noSamples
      throw error
    }
  }
  return {
    samplesIn: (payload, start, end) => opusPacketMs(payload, start, end) * samplesPerMs,
    decode: (payload, start, end) => attempt(() => decoder.decode(payload.subarray(start, end))),
    recover: (payload, start, end, samples) =>
      attempt(() => decoder.decode(payload.subarray(start, end), { decodeFec: true, frameSize: samples })),
    conceal: (samples) => attempt(() => decoder.decode(null, { frameSize: samples })),
  }
}
