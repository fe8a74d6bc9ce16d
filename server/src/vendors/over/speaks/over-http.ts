// The shared half of a synthesizer over HTTP: one request per clause, with streamed audio.
import { overClauses } from '../../../ports/clause-stream.ts'
import type {
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
  TextSynthesizer,
} from '../../../ports/synthesizer.ts'
import type { VendorAccount } from '../../../ports/vendor.ts'
import { PassedOver } from '../wire/passed-over.ts'
import { refusalReason } from '../wire/vendor-failure.ts'
import {
  askOverKept,
  refusedWith,
  type VendorPost,
  type VendorRequest,
  warmVendor,
} from '../wire/vendor-request.ts'
import { PcmFrames, type VendorRate, vendorRate } from './pcm.ts'

export interface TtsHttpDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly languages: SynthesizerAbilities['languages']
  readonly rateHz?: VendorRate
  /** In what it gets, `rateHz` is the rate of the vendor's audio. */
  ask(clause: string, options: SynthesizerOptions, account: VendorAccount): VendorPost | Promise<VendorPost>
  /** A harmless GET that opens a connection ahead and tells whether the key is valid. */
  warm?(account: VendorAccount): VendorRequest | Promise<VendorRequest>
  /** Extracts the audio from an answer that is more than audio. */
  readSound?(body: AsyncIterable<Uint8Array>, passedOver: PassedOver): AsyncIterable<Uint8Array>
}

export const speakOverHttp =
  (dialect: TtsHttpDialect) =>
  (account: VendorAccount): Synthesizer => {
    const { label } = dialect
    const engine: TextSynthesizer = {
      async *synthesize(clause, options, signal) {
        const rateHz = vendorRate(dialect, options.rateHz)
        try {
          const request = await dialect.ask(clause, { ...options, rateHz }, account)
          const caller = { label, account, signal }
          const answer = await askOverKept(request, caller)
          if (answer.statusCode !== 200)
            throw refusedWith(answer.statusCode, await answer.body.text(), caller)
          const frames = new PcmFrames(rateHz, options.rateHz)
          const received = broken(answer.body, label)
          // Proxies answer faults in words, and as a success.
          if (!dialect.readSound && /^(application\/json|text\/)/.test(`${answer.headers['content-type']}`))
            throw new Error(
              `${label} answered in words${refusalReason(await answer.body.text(), account.credentials)}`,
            )
          const passedOver = new PassedOver(label, 'synthesizer')
          const sound = dialect.readSound
            ? readable(dialect.readSound(received, passedOver), label)
            : received
          for await (const chunk of sound) yield* frames.push(chunk)
          yield* frames.flush()
        } catch (error) {
          if (!signal.aborted) throw error
        }
      },
    }
    const { warm } = dialect
    return {
      ...overClauses(engine, dialect.languages),
      ...(warm && {
        warm: async (_, signal) => warmVendor(await warm(account), { label, account, signal }),
      }),
    }
  }

class BrokeOff extends Error {}

async function* broken(body: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new BrokeOff(`${label} broke off in the middle of its sound.`, { cause })
  }
}

async function* readable(sound: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* sound
  } catch (cause) {
    throw cause instanceof BrokeOff ? cause : new Error(`${label} sent what cannot be read.`, { cause })
  }
}
